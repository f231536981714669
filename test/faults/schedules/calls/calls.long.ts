import { seededRandom } from '../../../../sandbox/simulator/random.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../deployment/world.ts';
import { type Log, type ModelDefinition, must } from '../../models/model.ts';
import {
  callAccounts,
  createProcesses,
  createScheduler,
  type Processes,
  personMark,
  secretMark,
} from '../processes.ts';
import { callRow, mustBeListed, mustBeListedUnderAgents, mustFollowFromDeliveries } from './call-rows.ts';
import { mustBeUnderstood, mustKeepWhatWasAcknowledged, mustPublishEachRevisionOnce } from './checks.ts';
import {
  type Activity,
  type CallsHistory,
  callsHistories,
  createLedger,
  eventOf,
  type Ledger,
  type Post,
  type Slot,
} from './history.ts';

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
export const calls: ModelDefinition<CallsHistory> = {
  name: 'calls',
  histories: callsHistories,
  async play(history, log = () => undefined) {
    const played = await playCalls(history, log);
    const [entries, records] = split(played.world.rows('calls'), ({ kind }) => kind === 'agent-entry');
    const rows = records.map(callRow);
    for (const row of rows) log(`${row.name}, revision ${row.revision}: ${JSON.stringify(row.facts)}`);
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
      'deliveries stored': rows.reduce((sum, { deliveries }) => sum + deliveries.length, 0),
      'revisions published': rows.reduce((sum, { revision }) => sum + revision, 0),
      'events repeated': repeats,
      'faults injected': processes.injected().length,
      'processes that crashed': processes.injected().filter(({ fault }) => fault.startsWith('crash')).length,
    };
  },
};

const split = <Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [readonly Item[], readonly Item[]] => [
  items.filter(isFirst),
  items.filter((item) => !isFirst(item)),
];

/** The state after a history, when nothing is waiting any more. */
export interface PlayedCalls {
  readonly world: MemoryWorld;
  readonly ledger: Ledger;
  readonly processes: Processes<Slot>;
  /** Every log line, and every message that was ever parked. */
  readonly lines: readonly string[];
  readonly parked: readonly string[];
}

/** Nothing waits longer than this: a message is delivered five times at most. */
const maxRounds = 50;
const visibilityMs = 400_000;

/** Plays a history in a new world, then finishes without faults what is left. */
const playCalls = async (history: CallsHistory, log: Log): Promise<PlayedCalls> => {
  const lines: string[] = [];
  const parked = new Set<string>();
  const turns = createScheduler(seededRandom(history.turnsSeed), () => world);
  const world = createMemoryWorld({
    startedAt: '2026-11-20T06:00:00.000Z',
    accounts: callAccounts,
    turn: turns.take,
    onLine: (line) => lines.push(line),
  });
  const processes = createProcesses<Slot>((faultFor) => world.start(faultFor), history.processes, log);
  const ledger = createLedger();

  const send = async (post: Post, slot: Slot): Promise<void> => {
    const at = world.now().toISOString();
    const reply = await world.post(processes.of(slot), eventOf(post));
    log(
      `  ${slot}: post ${ledger.posts.indexOf(post)} of ${at}: ${reply ? `${reply.statusCode} ${reply.body}` : 'no answer'}`,
    );
    ledger.tried(post, at, reply);
  };
  const publish = async (batch: number): Promise<void> => {
    for (const shard of world.streams.waiting())
      await world.streams.deliver(shard, batch, (event) => processes.of('publisher').publish(event));
  };
  const act = async (activity: Activity): Promise<void> => {
    switch (activity.do) {
      case 'post':
        return send(activity.post, receiverOf(activity));
      case 'repeat':
        return inTurn(repeatedIn(ledger.posts, activity.of), (post) => send(post, receiverOf(activity)));
      case 'retry':
        return inTurn(ledger.outstanding(), (post) => send(post, receiverOf(activity)));
      case 'recover':
        return world.recover(processes.of('recovery'));
      case 'publish':
        return publish(activity.batch);
      case 'restart':
        return processes.restart(activity.slot);
      case 'clock':
        return turns.take().then(() => world.advance(activity.ms));
    }
  };
  const together = async (activities: readonly Activity[]): Promise<void> => {
    for (const activity of activities) if (activity.do === 'post') ledger.add(activity.post);
    const chains = [...Map.groupBy(activities, ownerOf).values()];
    await turns.together(
      chains.map((chain) => async () => {
        await inTurn(chain, act);
      }),
    );
    for (const { body } of world.parking.messages()) parked.add(body);
  };

  for (const [index, step] of history.steps.entries()) {
    world.advance(step.clockMs);
    log(`Step ${index} at ${world.now().toISOString()}`);
    await together(step.together);
  }
  // The publisher may still have faults for what waits now.
  await together([{ do: 'publish', batch: 100 }]);
  processes.heal();
  log('No more faults from here on');
  for (let round = 0; round < maxRounds && (isWaiting(world) || round === 0); round++) {
    world.advance(visibilityMs);
    await together([{ do: 'recover' }, { do: 'publish', batch: 100 }]);
  }
  return { world, ledger, processes, lines, parked: [...parked] };
};

const isWaiting = ({ parking, streams }: MemoryWorld): boolean =>
  parking.messages().length > 0 || streams.waiting().length > 0;

const inTurn = async <Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> => {
  for (const item of items) await act(item);
};

const repeatedIn = (posts: readonly Post[], index: number): readonly Post[] =>
  posts.length === 0 ? [] : posts.slice(index % posts.length, (index % posts.length) + 1);

/** The slot of an activity. The clock belongs to none, and waits for none. */
const ownerOf = (activity: Activity): Slot | 'clock' => {
  if ('via' in activity) return receiverOf(activity);
  if (activity.do === 'restart') return activity.slot;
  if (activity.do === 'clock') return 'clock';
  return activity.do === 'recover' ? 'recovery' : 'publisher';
};

const receiverOf = ({ via }: { readonly via: 0 | 1 }): Slot => `receiver ${via}`;
