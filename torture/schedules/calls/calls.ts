import type { Play } from '../play.ts';
import { callsHistories } from './arbitrary-history.ts';
import type { CallsHistory } from './calls-history.ts';
import { mustTellEachRevisionOnce } from './check-events.ts';
import { mustKeepWhatWasAcknowledged } from './check-kept.ts';
import { mustBeListed, mustBeListedUnderAgents } from './check-listings.ts';
import { mustBeUnderstood } from './check-reading.ts';
import { mustFollowFromDeliveries } from './check-rows.ts';
import { mustKeepSecrets } from './check-secrets.ts';
import { playCalls } from './play-calls.ts';
import { callRow } from './row-of-call.ts';

/** Two accounts' calls, from the post to the event. */
export const calls: Play<CallsHistory> = {
  name: 'calls',
  histories: callsHistories,
  async play(history, tell = () => undefined) {
    const played = await playCalls(history, tell);
    const [entries, records] = split(played.world.rows('calls'), ({ kind }) => kind === 'agent-entry');
    const rows = records.map(callRow);
    for (const row of rows) tell(`${row.name}, revision ${row.revision}: ${JSON.stringify(row.facts)}`);
    for (const post of played.ledger.posts) mustBeUnderstood(post);
    mustKeepWhatWasAcknowledged(played, rows);
    for (const row of rows) mustFollowFromDeliveries(row, history.turnsSeed);
    for (const row of rows) mustBeListed(row);
    mustBeListedUnderAgents(rows, entries);
    const repeats = mustTellEachRevisionOnce(played, rows);
    mustKeepSecrets(played);

    const { ledger, processes, parked, world } = played;
    return {
      'posts tried': ledger.tries.length,
      'posts acknowledged': ledger.tries.filter(({ isAcknowledged }) => isAcknowledged).length,
      'deliveries parked': parked.length,
      'dead letters': world.deadLetters.messages().length,
      'rows of calls': rows.length,
      'deliveries kept': rows.reduce((sum, { deliveries }) => sum + deliveries.length, 0),
      'revisions told': rows.reduce((sum, { revision }) => sum + revision, 0),
      'events repeated': repeats,
      'faults of calls': processes.struck().length,
      'processes that died': processes.struck().filter(({ fate }) => fate.startsWith('die')).length,
    };
  },
};

const split = <Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [readonly Item[], readonly Item[]] => [
  items.filter(isFirst),
  items.filter((item) => !isFirst(item)),
];
