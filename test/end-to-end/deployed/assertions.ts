import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const shown = (value: unknown): string => JSON.stringify(value, undefined, 2) ?? String(value);

const indented = (text: string): string => text.replaceAll('\n', '\n            ');

/** An error that says what was expected and what was found instead. */
export const mismatch = (what: string, found: unknown, expected: string): Error =>
  new Error(`${what}\n  expected: ${indented(expected)}\n  found:    ${indented(shown(found))}`);

/** Throws unless what was found is what was expected, to the last field. */
export const expectEqual = (what: string, found: unknown, expected: unknown): void => {
  if (!isDeepStrictEqual(found, expected)) throw mismatch(what, found, shown(expected));
};

type Fields = Readonly<Record<string, unknown>>;

/** Throws unless an object has these fields with these values; whatever else it has is passed over. */
export const expectFields = (what: string, found: Fields | undefined, expected: Fields): void => {
  const compared = found && Object.fromEntries(Object.keys(expected).map((field) => [field, found[field]]));
  expectEqual(what, compared, expected);
};

/** Throws unless something holds; `found` is what it was looked for in. */
export const expectThat = (what: string, isSo: boolean, found: unknown): void => {
  if (!isSo) throw mismatch(what, found, 'that this is so');
};

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
