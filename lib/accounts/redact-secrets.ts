import { once } from '../core/collections.ts';

/** The text that replaces a key. */
export const redactedText = '***';

const minStrayKeyLength = 8;

/**
 * Prepares the redaction of texts: of the given keys wherever they occur, and of every field that is named like a key.
 */
export const secretRedactor = (keys: readonly string[]): ((text: string) => string) => {
  const redactKnown = knownSecretRedactor(
    // A shorter key is redacted in its own field only: other texts may contain it by chance, and would be spoilt.
    keys.filter(({ length }) => length >= minStrayKeyLength),
  );
  return (text) =>
    redactKnown(text).replace(keyField, (...match) => `${match[1]}${inSameQuotes(match[1], match.at(-1))}`);
};

const spacePattern = '(?:\\s|%20|\\+)*';

/**
 * The value of a key's field, by its first characters. Each alternative reads to the end of the value, or to the end of
 * a truncated text. A value without quotes may be inside a quoted text, such as the URL of a recording. The closing
 * quote of that text is not part of the value.
 */
const valuePattern = [
  String.raw`(?<escapes>\\*)(?<quote>["'])[^]*?(?:(?<!\\)\k<escapes>\k<quote>|$)`,
  '%22[^]*?(?:%22|$)',
  String.raw`[[{][^\]}]*[\]}]?`,
  '%(?:5B|7B)(?:(?!%5D|%7D)[^&])*',
  String.raw`(?:(?!%26|%2C|%7D|\\{0,8}")[^&,\s}])+`,
].join('|');

/**
 * A key's field in JSON, in a form, or in one inside the other (with escaped or percent-encoded quotes). Every field
 * that is named like a key is redacted, since an unknown key is somebody's secret too.
 */
const keyField = new RegExp(
  String.raw`(api[_-]?key(?:\\*["']|%22)?${spacePattern}(?:[:=]|%3A|%3D)${spacePattern})(?:${valuePattern})`,
  'gi',
);

/** The replacement in the quotes of the original value, so that JSON stays valid. */
const inSameQuotes = (name: string, { escapes, quote }: Readonly<Record<string, string | undefined>>): string => {
  if (quote !== undefined) return `${escapes}${quote}${redactedText}${escapes}${quote}`;
  if (/%3A/i.test(name)) return `%22${redactedText}%22`;
  // A value without quotes, such as a number, is JSON only if its name has quotes: the replacement gets the same ones.
  const [, nameQuote = ''] = /key(\\*["'])\s*:/i.exec(name) ?? [];
  return `${nameQuote}${redactedText}${nameQuote}`;
};

const claimedKey = /api[_-]?key(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?([^"'&,\s}\\]+)/gi;

/** The most keys that a text is searched for. A post has one key, or the same one in each record. */
const maxClaimedKeys = 20;

/**
 * The different keys in a text that could not be parsed, which may be a form that is still percent-encoded. They show
 * whether broken content came from an account or an unknown sender.
 */
export const claimedKeysIn = (text: string): readonly string[] => {
  const keys = new Set<string>();
  const decoded = percentDecoded(text);
  for (const reading of decoded === text ? [text] : [text, decoded])
    for (const [, key = ''] of reading.matchAll(claimedKey)) if (keys.add(key).size === maxClaimedKeys) break;
  return [...keys].slice(0, maxClaimedKeys);
};

const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());

/** Whether a text contains anything that may be an escape. */
const anyEscape = /\\["\\/u]|%[0-9a-f]{2}|\+/i;

/**
 * Redacts keys however they are written: plain, or as any writer of JSON, forms or URLs escapes them. (.NET escapes a
 * plus sign, PHP a slash.) One of these forms may be inside another. The pattern for all forms of a key is expensive.
 * Since anybody can post a text, it is compiled only for a key that the text contains once its escapes are undone.
 */
const knownSecretRedactor = (keys: readonly string[]): ((text: string) => string) => {
  const longestFirst = [...new Set(keys)].sort((a, b) => b.length - a.length);
  const candidates = once(() => longestFirst.map((key) => ({ key, unescapedKey: unescaped(key) })));
  const compiled = new Map<string, readonly RegExp[]>();

  const redactEscaped = (text: string, key: string): string => {
    const patterns = compiled.get(key) ?? patternsOf(key);
    compiled.set(key, patterns);
    return patterns.reduce((left, pattern) => left.replace(pattern, redactedText), text);
  };

  return (text) => {
    if (!anyEscape.test(text)) return longestFirst.reduce((left, key) => left.replaceAll(key, redactedText), text);
    const unescapedText = unescaped(text);
    // A key with a percent sign may look like an escape itself, so its unescaped form proves nothing.
    const suspected = candidates().filter(
      ({ key, unescapedKey }) => text.includes(key) || unescapedText.includes(unescapedKey) || key.includes('%'),
    );
    return suspected.reduce((left, { key }) => redactEscaped(left, key), text);
  };
};

/** A text with all escapes undone. Spaces and backslashes are removed too, since writers add and change them. */
const unescaped = (text: string): string =>
  text
    .replace(/(?:%(?:25)*[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replace(/%(?:25)*(?=[0-9a-f]{2})/gi, ''), 'hex').toString(),
    )
    .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/[\\ +]/g, '');

const patternsOf = (key: string): readonly RegExp[] =>
  piecesOf(key).map((piece) => new RegExp([...piece].map(characterPattern).join(''), 'g'));

/** V8 cannot compile an expression for many characters, so a long token is searched for in pieces. */
const maxPieceLength = 150;

const piecesOf = (key: string): readonly string[] => {
  const characters = [...key];
  const size = Math.ceil(characters.length / Math.ceil(characters.length / maxPieceLength));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
};

/** JSON inside JSON doubles backslashes; a form inside a form puts `25` after each percent sign. */
const percent = '%(?:25)*';
const backslash = String.raw`(?:\\|${percent}5[cC])`;

/**
 * At the beginning of a key, a match must start where a run of backslashes starts. Otherwise a long run costs its
 * square.
 */
const startOfRun = `(?<!${backslash})`;
const unicodeEscape = `${backslash}+(?:u|${percent}75)`;

const characterPattern = (character: string, index: number): string => {
  const run = index === 0 ? `${startOfRun}${backslash}` : backslash;
  const units = character.split('').map((unit) => hexOf(unit.charCodeAt(0), 4));
  const plain = units.map((hex) => String.raw`\u${hex}`).join('');
  const escaped = units.map((hex) => `${unicodeEscape}${[...hex].map(encodable).join('')}`).join('');
  const encoded = [...Buffer.from(character)].map((byte) => `${percent}${anyCase(hexOf(byte, 2))}`).join('');
  return `(?:${[
    plain,
    encoded,
    // Some writers of JSON put a backslash before a slash, and all of them before a quote.
    ...(/["\\/]/.test(character) ? [`${run}+(?:${plain}|${encoded})`] : []),
    `${index === 0 ? startOfRun : ''}${escaped}`,
    ...(character === ' ' ? [String.raw`\+|${percent}2[bB]`] : []),
  ].join('|')})`;
};

const hexOf = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** Writers use hexadecimal digits in either case. */
const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** A character of an escape. Inside a form this character may be percent-encoded itself. */
const encodable = (character: string): string => {
  const cases = [...new Set([character.toLowerCase(), character.toUpperCase()])];
  const bytes = cases.map((each) => `${percent}${hexOf(each.charCodeAt(0), 2)}`);
  return `(?:${[...cases, ...bytes].join('|')})`;
};
