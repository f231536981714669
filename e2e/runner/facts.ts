import { isDeepStrictEqual } from 'node:util';

const shown = (value: unknown): string => JSON.stringify(value, undefined, 2) ?? String(value);

const indented = (text: string): string => text.replaceAll('\n', '\n            ');

/** An error that says what was expected and what was found instead. */
export const mismatch = (what: string, found: unknown, expected: string): Error =>
  new Error(`${what}\n  expected: ${indented(expected)}\n  found:    ${indented(shown(found))}`);

/** Throws unless what was found is what was expected, to the last field. */
export const same = (what: string, found: unknown, expected: unknown): void => {
  if (!isDeepStrictEqual(found, expected)) throw mismatch(what, found, shown(expected));
};

type Fields = Readonly<Record<string, unknown>>;

/** Throws unless an object has these fields with these values; whatever else it has is passed over. */
export const has = (what: string, found: Fields | undefined, expected: Fields): void => {
  const compared = found && Object.fromEntries(Object.keys(expected).map((field) => [field, found[field]]));
  same(what, compared, expected);
};

/** Throws unless something holds; `found` is what it was looked for in. */
export const holds = (what: string, isSo: boolean, found: unknown): void => {
  if (!isSo) throw mismatch(what, found, 'that this is so');
};
