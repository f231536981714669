import { isDeepStrictEqual } from 'node:util';

const formatted = (value: unknown): string => JSON.stringify(value, undefined, 2) ?? String(value);

const indented = (text: string): string => text.replaceAll('\n', '\n            ');

export const mismatch = (what: string, found: unknown, expected: string): Error =>
  new Error(`${what}\n  expected: ${indented(expected)}\n  found:    ${indented(formatted(found))}`);

export const expectEqual = (what: string, found: unknown, expected: unknown): void => {
  if (!isDeepStrictEqual(found, expected)) throw mismatch(what, found, formatted(expected));
};

type Fields = Readonly<Record<string, unknown>>;

/** Throws unless an object has these fields with these values. Other fields are ignored. */
export const expectFields = (what: string, found: Fields | undefined, expected: Fields): void => {
  const compared = found && Object.fromEntries(Object.keys(expected).map((field) => [field, found[field]]));
  expectEqual(what, compared, expected);
};

/** Throws unless a statement is true; `found` is what it is about. */
export const expectThat = (what: string, isTrue: boolean, found: unknown): void => {
  if (!isTrue) throw mismatch(what, found, 'that this is true');
};
