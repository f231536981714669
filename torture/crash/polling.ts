import type { Facts } from '../../lib/record/delivery.ts';
import { createQueue } from '../../sandbox/queue/queue.ts';
import { sqsRecord } from '../../sandbox/queue/sqs-record.ts';
import type { Item } from '../world/dynamodb-expressions.ts';
import { visibilityMilliseconds } from '../world/surround.ts';
import type { Cast } from './story.ts';

/** How slots go by in a story. */
export interface Polling {
  /** So many slots go by, and each has its ticks. */
  readonly poll: (slots?: number) => Promise<void>;
  /** So many slots go by without a tick. */
  readonly idle: (slots: number) => void;
  /** Slots go by until the feed is true for this instant. */
  readonly pollUntilSeen: () => Promise<void>;
  /** The same, and until nobody who has left has a row. */
  readonly pollUntilTidy: () => Promise<void>;
}

const slotMs = 15_000;

/** More than back-offs and faults can explain. */
const mostSlots = 90;

/** Has the poller of a story served with ticks. */
export const createPolling = ({ name, world, centre, processes }: Omit<Cast, 'key'>): Polling => {
  const ticks = createQueue({ name: 'ticks', visibilityMilliseconds, now: () => world.now().getTime() });

  const tick = async (): Promise<void> => {
    ticks.send('tick', {}, 0);
    const messages = ticks.receive(1);
    for (const { receipt = '' } of messages) ticks.remove(receipt);
    const instance = processes.of('poll');
    centre.askedBy(processes.started());
    await instance.poll({ Records: messages.map((message) => sqsRecord('ticks', message)) });
  };
  const nextSlot = (): void => {
    const nowMs = world.now().getTime();
    world.advance((Math.floor(nowMs / slotMs) + 1) * slotMs + 1_000 - nowMs);
  };
  /** A schedule fires twice now and then: the second tick must find the slot taken. */
  const pollSlot = async (): Promise<void> => {
    nextSlot();
    await tick();
    world.advance(1_000);
    await tick();
  };
  const isSeen = ({ asOf = '', poller }: Facts, since: string): boolean => {
    const { unsettled, pendingAt } = Object(poller);
    return String(asOf) >= since && !unsettled && pendingAt === undefined;
  };
  const pollUntil = async (isMeant: (keys: Item) => boolean): Promise<void> => {
    const since = world.now().toISOString();
    for (let slots = 0; slots < mostSlots; slots++) {
      await pollSlot();
      const rows = await world.rows('agents', isMeant);
      const isTidy = !rows.some(({ state }) => state === 'logged-out');
      if (isTidy && rows.some((row) => row['kind'] === 'feed' && isSeen(row, since))) return;
    }
    throw new Error('The floor was never seen again');
  };

  return {
    async poll(slots = 1) {
      for (let slot = 0; slot < slots; slot++) await pollSlot();
    },
    idle: (slots) => world.advance(slots * slotMs),
    pollUntilSeen: () => pollUntil(({ sk }) => sk?.S === 'feed'),
    pollUntilTidy: () => pollUntil(({ pk }) => pk?.S === name),
  };
};
