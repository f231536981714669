import { setTimeout as pause } from 'node:timers/promises';
import { mismatch } from './facts.ts';

/** How long to wait, and how often to look meanwhile. */
export interface Patience {
  readonly seconds?: number;
  readonly everyMilliseconds?: number;
}

/** Looks until it finds what it waits for, and returns that. At the deadline it throws, with what it found instead. */
export const until = async <Found>(
  what: string,
  look: () => Promise<Found>,
  isIt: (found: Found) => boolean,
  { seconds = 15, everyMilliseconds = 50 }: Patience = {},
): Promise<Found> => {
  const deadline = performance.now() + seconds * 1000;

  for (;;) {
    const found = await look();
    if (isIt(found)) return found;
    if (performance.now() > deadline) throw mismatch(`Not within ${seconds} s: ${what}`, found, what);
    await pause(everyMilliseconds);
  }
};
