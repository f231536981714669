import { isObject } from '../core/collections.ts';
import {
  documentedDuration,
  documentedTime,
  isTimeZone,
  secondsBetween,
  secondsFrom,
  yearSeconds,
} from '../core/time.ts';
import type { Note } from '../storage/field.ts';
import { factsThat } from '../telephony/call-fields.ts';
import { notesOf, withNotes } from '../telephony/field-kinds.ts';
import type { Delivery, RecordFacts } from './merge-deliveries.ts';

const timeFacts = ['startedAt', 'pickedUpAt', 'endedAt'] as const;

const secondsPerDay = 86_400;

/** Databases and spreadsheets write earlier times, such as 1753-01-01 or 1970-01-01, where none was ever set. */
const earliest = '2000-01-01';

/** What the service counts is not documented, so a part may be longer than its call by minutes. */
const beyondCallSeconds = 3600;

const partsOfCall = factsThat(({ isWithinCall = false }) => isWithinCall);
const otherDurations = factsThat(({ kind, isWithinCall }) => kind === 'duration' && !isWithinCall);

/**
 * The facts that count. A time years away from the others, and a duration too long for the call, become notes. Sums that
 * the service names in its own way become facts. The delivery itself stays as it is, and so does its id.
 */
export const plausible = (delivery: Delivery): Delivery => {
  const facts = { ...sumsIn(delivery.facts['extra']), ...delivery.facts };
  const times = implausibleTimes(facts, delivery.receivedAt);
  const others = without(facts, times);
  const notes = [...times, ...implausibleDurations(others)];
  return { ...delivery, facts: withNotes([...notesOf(facts), ...notes], without(others, notes)) };
};

const without = (facts: RecordFacts, notes: readonly Note[]): RecordFacts =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => !notes.some(({ field }) => field === name)));

/** A time without another one near it is believed for a year. Calls that are older were imported: both of their times are. */
const implausibleTimes = (facts: RecordFacts, receivedAt: string): readonly Note[] => {
  const times = timeFacts.flatMap((field) => {
    const at = facts[field];
    return typeof at === 'string' ? [{ field, at }] : [];
  });
  const isPlausible = ({ field, at }: (typeof times)[number]): boolean => {
    const age = secondsBetween(at, receivedAt);
    if (age < -yearSeconds) return false;
    const isNear = (other: string) => Math.abs(secondsBetween(other, at)) <= secondsPerDay;
    return !(age > yearSeconds) || (at >= earliest && times.some((one) => one.field !== field && isNear(one.at)));
  };
  const zone = String(facts['timeZone']);
  return times
    .filter((time) => !isPlausible(time))
    .map(({ field, at }) => ({
      field,
      reason: 'implausible-time',
      asSent: documentedTime(at, isTimeZone(zone) ? zone : 'UTC'),
    }));
};

const implausibleDurations = (facts: RecordFacts): readonly Note[] => {
  const { startedAt, endedAt } = facts;
  const elapsed = typeof startedAt === 'string' && typeof endedAt === 'string' ? secondsBetween(startedAt, endedAt) : 0;
  const longest = Math.max(elapsed, secondsPerDay);
  const isWithin = (limit: number, field: string) => !(Number(facts[field] ?? 0) > limit);
  const call = isWithin(longest, 'callDurationSeconds') ? Number(facts['callDurationSeconds'] ?? 0) : 0;
  // A call without a length has ends that equal their starts, or none.
  const length = Math.max(elapsed, call);
  const longestPart = length > 0 ? length + beyondCallSeconds : longest;
  return [
    ...otherDurations.filter((field) => !isWithin(longest, field)),
    ...partsOfCall.filter((field) => !isWithin(longestPart, field)),
  ].map((field) => ({ field, reason: 'implausible-duration', asSent: documentedDuration(Number(facts[field])) }));
};

/**
 * What the service sends under names that it does not document, by lower-case spelling: the time of the agents for a call in all,
 * and its part after the call. They stay in `extra` too, where deliveries of before have them. The call report has all three parts.
 */
const sums: ReadonlyMap<string, 'handleSeconds' | 'wrapUpSeconds'> = new Map([
  ['totalhandlingtime', 'handleSeconds'],
  ['totalwrapuptime', 'wrapUpSeconds'],
]);

export const sumsIn = (extra: unknown): RecordFacts => {
  if (!isObject(extra)) return {};
  return Object.fromEntries(
    Object.entries(extra).flatMap(([name, sent]) => {
      const fact = sums.get(name.toLowerCase());
      const seconds = fact && secondsFrom(String(sent).trim());
      return seconds === undefined ? [] : [[fact, seconds]];
    }),
  );
};
