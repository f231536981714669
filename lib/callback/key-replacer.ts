/** JSON within JSON doubles backslashes, a form within a form puts `25` behind each percent sign. */
const percent = '%(?:25)*';
const backslash = String.raw`(?:\\|${percent}5[cC])`;

/** Where a key begins, a run of backslashes is read from its start only: else a long one were read again from each. */
const startOfRun = `(?<!${backslash})`;

const hexOf = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** In either case, as writers differ. */
const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const writingsOfCharacter = (character: string, index: number): string => {
  const run = index === 0 ? `${startOfRun}${backslash}` : backslash;
  const units = character.split('').map((unit) => hexOf(unit.charCodeAt(0), 4));
  const plain = units.map((hex) => String.raw`\u${hex}`).join('');
  const escaped = units.map((hex) => `${backslash}+u${anyCase(hex)}`).join('');
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

/** Whether a text has anything that may be an escape, apart from the plus sign of a form. */
const anEscape = /\\["\\/u]|%[0-9a-f]{2}/i;

/**
 * Replaces keys in texts however they are written: as they are, as any writer of JSON, of forms or of addresses has them
 * (.NET escapes a plus sign, PHP a slash), and in each of these within the other. Few texts have an escape at all, so
 * what finds the escaped ones is made when the first one comes.
 */
export const keyReplacer = (keys: readonly string[], replacement: string): ((text: string) => string) => {
  const longestFirst = [...new Set(keys)].sort((a, b) => b.length - a.length);
  const hasSpace = longestFirst.some((key) => key.includes(' '));
  let writings: RegExp | undefined;

  return (text) => {
    if (longestFirst.length === 0) return text;
    if (!anEscape.test(text) && !(hasSpace && text.includes('+')))
      return longestFirst.reduce((left, key) => left.replaceAll(key, replacement), text);
    writings ??= new RegExp(longestFirst.map((key) => [...key].map(writingsOfCharacter).join('')).join('|'), 'g');
    return text.replace(writings, replacement);
  };
};
