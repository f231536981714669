import { seededRandom } from '../../../../sandbox/simulator/random.ts';
import { createMemoryWorld, type MemoryWorld } from '../../world/memory-world.ts';
import { createScheduler } from '../../world/scheduler.ts';
import { callAccounts } from '../accounts.ts';
import type { Log } from '../model.ts';
import { createProcesses, type Processes } from '../processes.ts';
import type { Activity, CallsHistory, Post, Slot } from './history.ts';
import { createLedger, eventOf, type Ledger } from './ledger.ts';

/** What a history led to, once nothing waited any more. */
export interface PlayedCalls {
  readonly world: MemoryWorld;
  readonly ledger: Ledger;
  readonly processes: Processes<Slot>;
  /** Everything that functions wrote into their logs, and that lay in the queue. */
  readonly lines: readonly string[];
  readonly parked: readonly string[];
}

/** How many rounds may pass until nothing waits any more: a message comes again four times at most. */
const mostRounds = 50;
const hidingMs = 400_000;

/** Plays a history in a world of its own, and lets what is left over come to its end with all well. */
export const playCalls = async (history: CallsHistory, tell: Log): Promise<PlayedCalls> => {
  const lines: string[] = [];
  const parked = new Set<string>();
  const turns = createScheduler(seededRandom(history.turnsSeed));
  const world = createMemoryWorld({
    startedAt: '2026-11-20T06:00:00.000Z',
    accounts: callAccounts,
    turn: turns.take,
    onLine: (line) => lines.push(line),
  });
  const processes = createProcesses<Slot>((fateOf) => world.start(fateOf), history.processes, tell);
  const ledger = createLedger();

  const post = async (said: Post, slot: Slot): Promise<void> => {
    const at = world.now().toISOString();
    const reply = await world.post(processes.of(slot), eventOf(said));
    tell(
      `  ${slot}: post ${ledger.posts.indexOf(said)} of ${at}: ${reply ? `${reply.statusCode} ${reply.body}` : 'no answer'}`,
    );
    ledger.tried(said, at, reply);
  };
  const publish = async (batch: number): Promise<void> => {
    for (const lane of world.streams.waiting())
      await world.streams.deliver(lane, batch, (event) => processes.of('publisher').publish(event));
  };
  const act = async (activity: Activity): Promise<void> => {
    switch (activity.do) {
      case 'post':
        return post(activity.post, receiverOf(activity));
      case 'repeat':
        return inTurn(repeatedIn(ledger.posts, activity.of), (said) => post(said, receiverOf(activity)));
      case 'retry':
        return inTurn(ledger.outstanding(), (said) => post(said, receiverOf(activity)));
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
    tell(`Step ${index} at ${world.now().toISOString()}`);
    await together(step.together);
  }
  // What waits now is met by what the publisher has still to meet.
  await together([{ do: 'publish', batch: 100 }]);
  processes.heal();
  tell('All is well from here on');
  for (let round = 0; round < mostRounds && (isWaiting(world) || round === 0); round++) {
    world.advance(hidingMs);
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

/** Whose work it is. A clock is nobody's, and waits for nobody. */
const ownerOf = (activity: Activity): Slot | 'clock' => {
  if ('via' in activity) return receiverOf(activity);
  if (activity.do === 'restart') return activity.slot;
  if (activity.do === 'clock') return 'clock';
  return activity.do === 'recover' ? 'recovery' : 'publisher';
};

const receiverOf = ({ via }: { readonly via: 0 | 1 }): Slot => `receiver ${via}`;
