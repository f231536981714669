/**
 * The text without what a terminal would obey: whoever posts to us could otherwise recolour, clear or rewrite what an
 * operator sees. Breaks of lines stay where `isText` says that the value is one.
 */
export const printable = (value: string, isText = false): string =>
  value.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (character) =>
    isText && /[\n\t]/.test(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A value as a line of JSON, which leaves some of these characters as they are; escaped, it is the same JSON. */
export const printableJson = (value: object): string => printable(JSON.stringify(value));
