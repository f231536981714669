import { keyReplacer } from './key-replacer.ts';

/** What stands where a key stood. */
export const mask = '***';

/** A shorter key is masked in its own field only: found by chance in other texts, it would spoil them. */
const minStrayKeyLength = 8;

const space = '(?:\\s|%20|\\+)*';

/**
 * The value of a key's field by how it opens. Each runs on to where that ends, or to the end of a text that was cut. One
 * without quotes may stand in a quoted text, such as the address of a recording: that text's own quote is none of it.
 */
const value = [
  String.raw`(?<escapes>\\*)(?<quote>["'])[^]*?(?:(?<!\\)\k<escapes>\k<quote>|$)`,
  '%22[^]*?(?:%22|$)',
  String.raw`[[{][^\]}]*[\]}]?`,
  '%(?:5B|7B)(?:(?!%5D|%7D)[^&])*',
  String.raw`(?:(?!%26|%2C|%7D|\\{0,8}")[^&,\s}])+`,
].join('|');

/**
 * A key's field in JSON, in a form or in either inside the other (quotes escaped or percent-encoded). Whatever is named
 * like a key is masked, ours or not: it is somebody's secret.
 */
const keyField = new RegExp(
  String.raw`(api[_-]?key(?:\\*["']|%22)?${space}(?:[:=]|%3A|%3D)${space})(?:${value})`,
  'gi',
);

const claim = /api[_-]?key(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?([^"'&,\s}\\]+)/i;

/** The mask, quoted as the key was, so that what was JSON stays JSON. */
const inItsQuotes = (name: string, { escapes, quote }: Readonly<Record<string, string | undefined>>): string => {
  if (quote !== undefined) return `${escapes}${quote}${mask}${escapes}${quote}`;
  if (/%3A/i.test(name)) return `%22${mask}%22`;
  // A bare value, such as a number, is one of JSON only if its name has quotes: those of its level.
  const [, own = ''] = /key(\\*["'])\s*:/i.exec(name) ?? [];
  return `${own}${mask}${own}`;
};

/** Prepares the removal of keys from texts: the known ones wherever they stand, and whatever stands in a key's field. */
export const keyMask = (keys: readonly string[]): ((text: string) => string) => {
  const withoutKnown = keyReplacer(
    keys.filter(({ length }) => length >= minStrayKeyLength),
    mask,
  );
  return (text) =>
    withoutKnown(text).replace(keyField, (...match) => `${match[1]}${inItsQuotes(match[1], match.at(-1))}`);
};

/** The key that a text claims, though it could not be parsed: enough to tell an account's broken post from a stranger's. */
export const claimedKeyIn = (text: string): string | undefined => claim.exec(text)?.[1];
