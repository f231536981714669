import { it } from 'vitest';
import { isFull, log, must, mustHappen, regressionsIn, show, tryCases } from '../../property.ts';
import { personMark, secretMark } from '../processes.ts';
import { callRow, mustBeListed, mustBeListedUnderAgents, mustFollowFromDeliveries } from './call-rows.ts';
import { mustBeUnderstood, mustKeepWhatWasAcknowledged, mustPublishEachRevisionOnce } from './checks.ts';
import { type CallsHistory, callsHistories } from './history.ts';
import { type PlayedCalls, playCalls } from './play-calls.ts';

/** Guarantee 8 of the README: no key anywhere, and no person in a log. */
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
const keepsCalls = async (history: CallsHistory) => {
  const state = await playCalls(history);
  const [entries, records] = split(state.world.rows('calls'), ({ kind }) => kind === 'agent-entry');
  const rows = records.map(callRow);
  for (const row of rows) log(() => `${row.name}, revision ${row.revision}: ${JSON.stringify(row.facts)}`);
  for (const post of state.ledger.posts) mustBeUnderstood(post);
  mustKeepWhatWasAcknowledged(state, rows);
  for (const row of rows) mustFollowFromDeliveries(row, history.turnsSeed);
  for (const row of rows) mustBeListed(row);
  mustBeListedUnderAgents(rows, entries);
  const repeats = mustPublishEachRevisionOnce(state, rows);
  mustKeepSecrets(state);

  const { ledger, processes, parked, world } = state;
  return {
    'posts tried': ledger.tries.length,
    'posts acknowledged': ledger.tries.filter(({ isAcknowledged }) => isAcknowledged).length,
    'deliveries parked': parked.length,
    'dead letters': world.deadLetters.messages().length,
    'rows of calls': rows.length,
    'deliveries stored': rows.reduce((sum, { deliveries }) => sum + deliveries.length, 0),
    'revisions published': rows.reduce((sum, { revision }) => sum + revision, 0),
    'events repeated': repeats,
    'faults injected': processes.injected().length,
    'processes that crashed': processes.injected().filter(({ fault }) => fault.startsWith('crash')).length,
  };
};

it.each(regressionsIn<CallsHistory>('calls'))('$name breaks no guarantee any more', async ({ history }) => {
  await keepsCalls(history);
});

it('no random history of calls breaks a guarantee', async () => {
  const counters = await tryCases(callsHistories, isFull ? 30_000 : 200, keepsCalls);
  show('histories of calls', counters);
  mustHappen(counters, 'deliveries parked', 'events repeated', 'processes that crashed');
});

const split = <Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [readonly Item[], readonly Item[]] => [
  items.filter(isFirst),
  items.filter((item) => !isFirst(item)),
];
