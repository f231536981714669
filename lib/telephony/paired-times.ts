import { readingsOf, secondsBetween } from '../core/time.ts';
import type { Note } from '../storage/field.ts';

type TimeFact = 'startedAt' | 'pickedUpAt' | 'endedAt';

/** Instants by fact, in the order in which they happen. */
type Times = readonly (readonly [fact: TimeFact, at: string])[];

/** A duration may be rounded, or be taken a moment later. Two readings of a time are half an hour apart or more. */
const toleranceSeconds = 60;

/**
 * The instants of a record's times, given in the order in which they happen, if clocks change and so one of them has two
 * readings. They are read together: those from whose first to whose last it is `seconds`, else those that are in order.
 * Nothing where each has one reading, as the notes show, or where no readings are in order.
 */
export const pairedTimes = (
  notes: readonly Note[] = [],
  sent: readonly (readonly [fact: TimeFact, text: string | undefined])[],
  zone: string,
  seconds = Number.NaN,
): Readonly<Partial<Record<TimeFact, string>>> => {
  if (!notes.some(({ reason }) => reason.endsWith('-local-time'))) return {};

  const all = sent.reduce<readonly Times[]>(
    (before, [fact, text = '']) => {
      const readings = readingsOf(text, zone);
      if (readings.length === 0) return before;
      return before.flatMap((times) => readings.map(({ at }) => [...times, [fact, at] as const]));
    },
    [[]],
  );
  const isAsLong = (times: Times) =>
    Math.abs(secondsBetween(times[0]?.[1] ?? '', times.at(-1)?.[1] ?? '') - seconds) < toleranceSeconds;
  const isInOrder = (times: Times) => times.every(([, at], index) => at >= (times[index - 1]?.[1] ?? ''));
  return Object.fromEntries(all.find(isAsLong) ?? all.find(isInOrder) ?? []);
};
