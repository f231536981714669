/** JSON within JSON doubles backslashes, a form within a form puts `25` behind each percent sign. */
const percent = '%(?:25)*';
const backslash = String.raw`(?:\\|${percent}5[cC])`;

/** Where a key begins, a run of backslashes is read from its start only: else a long one were read again from each. */
const startOfRun = `(?<!${backslash})`;

const hexOf = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** In either case, as writers differ. */
const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** A character of an escape: within a form it may be written as an escape itself. */
const encodable = (character: string): string => {
  const cases = [...new Set([character.toLowerCase(), character.toUpperCase()])];
  const bytes = cases.map((each) => `${percent}${hexOf(each.charCodeAt(0), 2)}`);
  return `(?:${[...cases, ...bytes].join('|')})`;
};

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

/** Whether a text has anything that may be an escape. */
const anyEscape = /\\["\\/u]|%[0-9a-f]{2}|\+/i;

/** V8 compiles no expression for many characters: a long token is looked for in pieces. */
const maxPieceLength = 150;

const piecesOf = (key: string): readonly string[] => {
  const characters = [...key];
  const size = Math.ceil(characters.length / Math.ceil(characters.length / maxPieceLength));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
};

const patternsOf = (key: string): readonly RegExp[] =>
  piecesOf(key).map((piece) => new RegExp([...piece].map(characterPattern).join(''), 'g'));

/** What a text says once all escapes are undone; spaces and backslashes, which writers add and change, are left out. */
const unescaped = (text: string): string =>
  text
    .replace(/(?:%(?:25)*[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replace(/%(?:25)*(?=[0-9a-f]{2})/gi, ''), 'hex').toString(),
    )
    .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/[\\ +]/g, '');

/**
 * Replaces keys in texts however they are written: as they are, as any writer of JSON, of forms or of addresses has them
 * (.NET escapes a plus sign, PHP a slash), and in each of these within the other. Strangers' texts come here as well, so
 * that what finds all writings of a key is made for a key only that is there once the escapes are undone.
 */
export const knownSecretRedactor = (keys: readonly string[], replacement: string): ((text: string) => string) => {
  const longestFirst = [...new Set(keys)].sort((a, b) => b.length - a.length);
  const known = longestFirst.map((key) => ({ key, bare: unescaped(key) }));
  const expressions = new Map<string, readonly RegExp[]>();

  const withoutWritings = (text: string, key: string): string => {
    const found = expressions.get(key) ?? patternsOf(key);
    expressions.set(key, found);
    return found.reduce((left, expression) => left.replace(expression, replacement), text);
  };

  return (text) => {
    if (!anyEscape.test(text)) return longestFirst.reduce((left, key) => left.replaceAll(key, replacement), text);
    const said = unescaped(text);
    // What a key with a percent sign is, escapes undone, cannot be told.
    const suspected = known.filter(({ key, bare }) => text.includes(key) || said.includes(bare) || key.includes('%'));
    return suspected.reduce((left, { key }) => withoutWritings(left, key), text);
  };
};

/** What stands where a key stood. */
export const redactedText = '***';

/** A shorter key is masked in its own field only: found by chance in other texts, it would spoil them. */
const minStrayKeyLength = 8;

const spacePattern = '(?:\\s|%20|\\+)*';

/**
 * The value of a key's field by how it opens. Each runs on to where that ends, or to the end of a text that was cut. One
 * without quotes may stand in a quoted text, such as the address of a recording: that text's own quote is none of it.
 */
const valuePattern = [
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
  String.raw`(api[_-]?key(?:\\*["']|%22)?${spacePattern}(?:[:=]|%3A|%3D)${spacePattern})(?:${valuePattern})`,
  'gi',
);

const claimedKey = /api[_-]?key(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?([^"'&,\s}\\]+)/i;

/** The mask, quoted as the key was, so that what was JSON stays JSON. */
const inSameQuotes = (name: string, { escapes, quote }: Readonly<Record<string, string | undefined>>): string => {
  if (quote !== undefined) return `${escapes}${quote}${redactedText}${escapes}${quote}`;
  if (/%3A/i.test(name)) return `%22${redactedText}%22`;
  // A bare value, such as a number, is one of JSON only if its name has quotes: those of its level.
  const [, own = ''] = /key(\\*["'])\s*:/i.exec(name) ?? [];
  return `${own}${redactedText}${own}`;
};

/** Prepares the removal of keys from texts: the known ones wherever they stand, and whatever stands in a key's field. */
export const secretRedactor = (keys: readonly string[]): ((text: string) => string) => {
  const withoutKnown = knownSecretRedactor(
    keys.filter(({ length }) => length >= minStrayKeyLength),
    redactedText,
  );
  return (text) =>
    withoutKnown(text).replace(keyField, (...match) => `${match[1]}${inSameQuotes(match[1], match.at(-1))}`);
};

/** The key that a text claims, though it could not be parsed: enough to tell an account's broken post from a stranger's. */
export const claimedKeyIn = (text: string): string | undefined => claimedKey.exec(text)?.[1];
