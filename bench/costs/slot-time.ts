import { endOfSlot, slotOf } from '../../lib/feed/slot.ts';
import type { Clock } from '../../lib/ports.ts';

/** Far ahead, since DynamoDB Local removes rows that have expired by the clock of the machine. */
const start = '2040-01-02T06:00:00.000Z';

/** A time that stands still until it is told to go on. */
export interface SlotTime {
  readonly clock: Clock;
  /** Goes on to the beginning of the next slot. */
  nextSlot(): void;
}

/** Such a time of its own. */
export const slotTime = (): SlotTime => {
  let nowMs = Date.parse(start);
  const clock = () => new Date(nowMs);
  return {
    clock,
    nextSlot: () => {
      nowMs = endOfSlot(slotOf(clock()));
    },
  };
};
