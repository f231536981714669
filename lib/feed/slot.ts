/**
 * How long a slot is: each account is polled at most once in it. Five polls lie in a minute with both its ends, which is
 * all of the limit; a second try in one slot is made up for by a moment's wait in the next ones.
 */
export const slotSeconds = 15;

/** The same in milliseconds. */
export const slotMs = slotSeconds * 1000;

/** How long a run may take at the longest, in seconds: it is ended then, well before the next slot is. */
export const longestRunSeconds = 13;

/** The slot that an instant lies in, counted from the epoch, so that every run everywhere numbers it alike. */
export const slotOf = (at: Date): number => Math.floor(at.getTime() / slotMs);

/** When a slot is over, in milliseconds since the epoch. */
export const endOfSlot = (slot: number): number => (slot + 1) * slotMs;
