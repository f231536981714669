import { setTimeout as pause } from 'node:timers/promises';

interface WaitOptions {
  readonly seconds?: number;
  readonly everyMilliseconds?: number;
}

/** Looks until it finds what it waits for, and returns it. At the deadline it throws with what it found last. */
export const until = async <Found>(
  what: string,
  look: () => Found | Promise<Found>,
  isDone: (found: Found) => boolean,
  { seconds = 15, everyMilliseconds = 50 }: WaitOptions = {},
): Promise<Found> => {
  const deadline = performance.now() + seconds * 1000;

  for (;;) {
    const found = await look();
    if (isDone(found)) return found;
    if (performance.now() > deadline)
      throw new Error(`Not within ${seconds} s: ${what}\n  found: ${JSON.stringify(found, undefined, 2)}`);
    await pause(everyMilliseconds);
  }
};
