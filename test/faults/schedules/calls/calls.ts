import { personMark, secretMark } from '../accounts.ts';
import { type ModelDefinition, must } from '../model.ts';
import { callRow, mustBeListed, mustBeListedUnderAgents, mustFollowFromDeliveries } from './call-rows.ts';
import { mustKeepWhatWasAcknowledged } from './check-durability.ts';
import { mustPublishEachRevisionOnce } from './check-events.ts';
import { mustBeUnderstood } from './check-reading.ts';
import { type CallsHistory, callsHistories } from './history.ts';
import { type PlayedCalls, playCalls } from './play-calls.ts';

/** Guarantee 8 of the README: keys are nowhere, people are in no log. */
const mustKeepSecrets = ({ world, lines, parked }: PlayedCalls): void => {
  const places: Readonly<Record<string, unknown>> = {
    row: [world.rows('calls'), world.rows('quarantine'), world.rows('agents')],
    queue: [parked, world.deadLetters.messages()],
    event: world.events(),
    log: lines,
  };
  for (const [place, content] of Object.entries(places)) {
    const text = JSON.stringify(content);
    must(!text.includes(secretMark), () => `Guarantee 8: a key is in a ${place}`);
    must(place !== 'log' || !text.includes(personMark), () => 'Guarantee 8: a person is in a log');
  }
};

/** Two accounts' calls, from the post to the event. */
export const calls: ModelDefinition<CallsHistory> = {
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
    const repeats = mustPublishEachRevisionOnce(played, rows);
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
