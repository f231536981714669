import { describe, expect, it } from 'vitest';
import { endOfSlot, slotOf, slotSeconds } from '../../../lib/feed/slot.ts';

const at = (time: string) => new Date(`2026-11-20T06:${time}Z`);
const first = slotOf(at('00:00.000'));

describe('slotOf', () => {
  it.each([
    ['the first millisecond of a minute', '00:00.000', 0],
    ['the last one of a slot', '00:14.999', 0],
    ['the first one of the next', '00:15.000', 1],
    ['the third slot', '00:30.000', 2],
    ['the fourth slot', '00:59.999', 3],
    ['the next minute', '01:00.000', 4],
  ])('numbers slots of 15 seconds by the clock: %s', (_title, time, index) => {
    expect(slotOf(at(time)) - first).toBe(index);
  });

  it('ends a slot where the next one begins', () => {
    expect(endOfSlot(first)).toBe(at('00:15.000').getTime());
    expect(slotOf(new Date(endOfSlot(first)))).toBe(first + 1);
    expect(slotOf(new Date(endOfSlot(first) - 1))).toBe(first);
    expect(slotSeconds).toBe(15);
  });
});
