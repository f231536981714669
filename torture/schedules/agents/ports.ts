import fc from 'fast-check';
import type { Play } from '../play.ts';
import { expectAllToAgree } from './check-ports.ts';
import { playPorts } from './play-ports.ts';
import { floorSizes, type PortsHistory, portsHistories } from './ports-history.ts';

/** The poller over a table in memory: deaths at any call, rivals, and floors that take many writes. */
export const agentsAtPorts: Play<PortsHistory> = {
  name: 'agents-at-ports',
  histories: fc.oneof(
    { weight: 40, arbitrary: portsHistories(floorSizes.small, 20) },
    { weight: 1, arbitrary: portsHistories(floorSizes.large, 10) },
  ),
  async play(history, tell = () => undefined) {
    const played = await playPorts(history);
    for (const row of played.rows) tell(JSON.stringify(row));
    const events = await expectAllToAgree(played);
    return { polls: history.polls.length, answers: played.seen.size, events };
  },
};
