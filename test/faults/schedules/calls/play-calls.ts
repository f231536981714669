import { seededRandom } from '../../../../sandbox/simulator/random.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../deployment/world.ts';
import { log } from '../../property.ts';
import { callAccounts, createProcesses, createScheduler, type Processes } from '../processes.ts';
import {
  type Activity,
  type CallsHistory,
  createLedger,
  eventOf,
  type Ledger,
  type Post,
  type Slot,
} from './history.ts';

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
export const playCalls = async (history: CallsHistory): Promise<PlayedCalls> => {
  const lines: string[] = [];
  const parked = new Set<string>();
  const turns = createScheduler(seededRandom(history.turnsSeed), () => world);
  const world = createMemoryWorld({
    startedAt: '2026-11-20T06:00:00.000Z',
    accounts: callAccounts,
    turn: turns.take,
    onLine: (line) => lines.push(line),
  });
  const processes = createProcesses<Slot>((faultFor) => world.start(faultFor), history.processes);
  const ledger = createLedger();

  const send = async (post: Post, slot: Slot): Promise<void> => {
    const at = world.now().toISOString();
    const reply = await world.post(processes.of(slot), eventOf(post));
    const answer = reply ? `${reply.statusCode} ${reply.body}` : 'no answer';
    log(() => `  ${slot}: post ${ledger.posts.indexOf(post)} of ${at}: ${answer}`);
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
    log(() => `Step ${index} at ${world.now().toISOString()}`);
    await together(step.together);
  }
  // The publisher may still have faults for what waits now.
  await together([{ do: 'publish', batch: 100 }]);
  processes.heal();
  log(() => 'No more faults from here on');
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
