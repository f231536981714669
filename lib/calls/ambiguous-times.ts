import { readingsOf, secondsBetween } from '../core/time.ts';
import type { Note } from '../storage/field.ts';
import { isLocalTimeNote } from '../telephony/field-kinds.ts';

type TimeFact = 'startedAt' | 'pickedUpAt' | 'endedAt';

/** A time as it was posted, and the fact that it becomes. */
interface PostedTime {
  readonly fact: TimeFact;
  readonly text: string | undefined;
}

interface ReadTime {
  readonly fact: TimeFact;
  readonly at: string;
}

interface RecordTimes {
  /** In the order in which they happen. */
  readonly posted: readonly PostedTime[];
  readonly timeZone: string;
  /** The notes of the record, which show whether a time has two readings. */
  readonly notes: readonly Note[];
  /** From the first time to the last, if the record says so. */
  readonly seconds?: number | undefined;
}

/**
 * Where clocks change, a local time may have two readings. This chooses one for each time of a record: first those that make the
 * record last `seconds`, else those that are in order. Empty if every time has one reading, or if none are in order.
 */
export const chosenTimes = ({
  posted,
  timeZone,
  notes,
  seconds,
}: RecordTimes): Readonly<Partial<Record<TimeFact, string>>> => {
  if (!notes.some(isLocalTimeNote)) return {};

  const combinations = combinationsOf(posted, timeZone);
  const chosen = combinations.find((times) => isAsLong(times, seconds)) ?? combinations.find(isInOrder) ?? [];
  return Object.fromEntries(chosen.map(({ fact, at }) => [fact, at]));
};

/** Every combination of readings, one reading for each time. A text that is no time is left out. */
const combinationsOf = (posted: readonly PostedTime[], timeZone: string): readonly (readonly ReadTime[])[] => {
  let combinations: readonly (readonly ReadTime[])[] = [[]];
  for (const { fact, text = '' } of posted) {
    const readings = readingsOf(text, timeZone);
    if (readings.length === 0) continue;
    combinations = combinations.flatMap((times) => readings.map(({ at }) => [...times, { fact, at }]));
  }
  return combinations;
};

/** A duration may be rounded, or be taken a moment later. Two readings of one time differ by half an hour at least, so a minute decides. */
const toleranceSeconds = 60;

const isAsLong = (times: readonly ReadTime[], seconds: number | undefined): boolean => {
  const first = times[0];
  const last = times.at(-1);
  if (first === undefined || last === undefined || seconds === undefined) return false;
  return Math.abs(secondsBetween(first.at, last.at) - seconds) < toleranceSeconds;
};

const isInOrder = (times: readonly ReadTime[]): boolean =>
  times.every(({ at }, index) => times.slice(index + 1).every((later) => at <= later.at));
