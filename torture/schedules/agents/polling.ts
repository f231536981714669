import type { Play } from '../play.ts';
import { mustHoldForAgents } from './check-polling.ts';
import { playPolling } from './play-polling.ts';
import { type PollingHistory, pollingHistories } from './polling-history.ts';

/** Two accounts' agents, through the poller and the publisher as deployed. */
export const agents: Play<PollingHistory> = {
  name: 'agents',
  histories: pollingHistories,
  async play(history, tell = () => undefined) {
    const played = await playPolling(history, tell);
    const { world, accounts, machines } = played;
    const struck = machines.processes.struck();
    for (const row of world.rows('agents')) tell(JSON.stringify(row));
    const repeats = mustHoldForAgents(played);
    return {
      requests: accounts.reduce((sum, { telephony }) => sum + telephony.asked().length, 0),
      events: world.events().length,
      'events repeated': repeats,
      'runs that took too long': machines.cutRuns(),
      'faults of calls': struck.length,
      'processes that died': struck.filter(({ fate }) => fate.startsWith('die')).length,
    };
  },
};
