import { instantFrom } from './instant-from.ts';

/** By how much the clock of who named the moment may be ahead of the reader's. */
const clockDifferenceMs = 60_000;

/** An instant that has passed, as rows hold it. Throws a TypeError for what is no instant, and a RangeError for one to come. */
export const pastFrom = (name: string, value: unknown, now: Date): string => {
  const instant = instantFrom(name, value);
  if (Date.parse(instant) > now.getTime() + clockDifferenceMs)
    throw new RangeError(`${name}: expected an instant that has passed.`);
  return instant;
};
