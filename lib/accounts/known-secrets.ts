import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { once } from '../core/collections.ts';
import { sha256 } from '../core/encoding.ts';

/** The text that replaces a key. */
export const redactedText = '***';

/** A shorter key is redacted in its own field only: other texts may contain it by chance, and would be spoilt. */
const minStrayKeyLength = 8;

/** Whether a text contains anything that may be an escape. */
const anyEscape = /\\["\\/u]|%[0-9a-f]{2}|\+/i;

/** A percent sign, plain or in an escape of JSON. */
const percentSign = /%|u0025/;

/** The search for keys that are known. */
export interface KnownKeys {
  readonly redact: (text: string) => string;
  readonly foundIn: (text: string) => readonly string[];
}

/**
 * Finds keys of eight characters or more, plain or escaped. Writers of JSON, forms and URLs escape differently: .NET a
 * plus sign, PHP a slash. One of these forms may be inside another. Where a third is around a key, as of a URL in JSON in
 * a form, the text loses its outer escapes; a key that has a percent sign itself is not found there.
 * The pattern for all forms of a key is expensive. Since anybody can post a text, it is compiled only for a key that the
 * text contains once its escapes are undone.
 */
export const knownKeys = (keys: readonly string[]): KnownKeys => {
  const longestFirst = [...new Set(keys)]
    .filter(({ length }) => length >= minStrayKeyLength)
    .sort((a, b) => b.length - a.length)
    .map((key) => ({ key, unescapedKey: once(() => unescaped(key)), patterns: once(() => patternsOf(key)) }));

  const redactKey = (text: string, { key, patterns }: (typeof longestFirst)[number]): string =>
    anyEscape.test(text)
      ? patterns().reduce((left, pattern) => left.replace(pattern, redactedText), text)
      : text.replaceAll(key, redactedText);

  const suspectedIn = (text: string) => {
    if (!anyEscape.test(text)) return longestFirst.filter(({ key }) => text.includes(key));
    const unescapedText = unescaped(text);
    // A key with a percent sign may look like an escape itself, so its unescaped form proves nothing.
    return longestFirst.filter(
      ({ key, unescapedKey }) => text.includes(key) || unescapedText.includes(unescapedKey()) || key.includes('%'),
    );
  };

  /** The keys that show in a text once its escapes are undone twice. */
  const deeperKeysIn = (text: string): readonly string[] => {
    if (!percentSign.test(text)) return [];
    const reading = withoutEscapes(text);
    if (!percentSign.test(reading)) return [];
    const inner = withoutEscapes(reading);
    return longestFirst.map(({ key }) => key).filter((key) => inner.includes(key));
  };

  const replaceIn = (text: string): string => suspectedIn(text).reduce(redactKey, text);

  return {
    redact: (text) => {
      const redacted = replaceIn(text);
      return deeperKeysIn(redacted).length === 0 ? redacted : replaceIn(withoutEscapes(redacted));
    },
    foundIn: (text) => {
      const found = suspectedIn(text).filter((one) => redactKey(text, one) !== text);
      return [...new Set([...found.map(({ key }) => key), ...deeperKeysIn(text)])];
    },
  };
};

/** A text with all escapes undone. Spaces and backslashes are removed too, since writers add and change them. */
const unescaped = (text: string): string => withoutEscapes(text).replace(/[\\ +]/g, '');

/** A text without the escapes of a form, and then without those of JSON. */
const withoutEscapes = (text: string): string =>
  text
    .replace(/(?:%(?:25)*[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replace(/%(?:25)*(?=[0-9a-f])/gi, ''), 'hex').toString(),
    )
    .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

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
  // Some writers of JSON put a backslash before a slash, and all of them before a quote.
  const quoted = /["\\/]/.test(character) ? `|${run}+(?:${plain}|${encoded})` : '';
  const space = character === ' ' ? String.raw`|\+|${percent}2[bB]` : '';
  return `(?:${plain}|${encoded}${quoted}|${index === 0 ? startOfRun : ''}${escaped}${space})`;
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

/** The texts around the masks of a redacted text: mask n, counted from 0, stands between the pieces n and n + 1. */
const textsAround = (redacted: string): readonly string[] => redacted.split(redactedText);

/** The masks that are the value of a field named like a key. */
const masksOfFields = (pieces: readonly string[]): readonly number[] =>
  pieces.flatMap((before, mask) =>
    /"api[_-]?key\s*"\s*:\s*"$/i.test(before) && pieces[mask + 1]?.startsWith('"') ? [mask] : [],
  );

/** A key as it is written behind this text: in an address it is percent-encoded. */
const keyBehind = (before: string, key: string): string =>
  /(?:=|%3D)$/i.test(before) ? encodeURIComponent(key) : JSON.stringify(key).slice(1, -1);

/** The most masks that are noted of a text. */
const maxNoted = 20;

/**
 * Which masks of a redacted text hide one of these keys of its account. Others hide somebody else's key, or are asterisks of
 * the sender. Undefined if they are those of the fields named like a key, as nearly always, or if nobody can tell: the
 * redaction writes a text with odd escapes anew.
 */
export const ownMasks = (sent: string, redacted: string, keys: readonly string[]): readonly number[] | undefined => {
  const pieces = textsAround(redacted);
  const own = masksOfKeys(sent, pieces, keys);
  return own.length > maxNoted || String(own) === String(masksOfFields(pieces)) ? undefined : own;
};

/** The masks that hide these keys: each piece is looked for in what was sent, behind the one before it. */
const masksOfKeys = (sent: string, pieces: readonly string[], keys: readonly string[]): readonly number[] => {
  const own: number[] = [];
  let at = 0;
  for (const [mask, before] of pieces.slice(0, -1).entries()) {
    if (!sent.startsWith(before, at)) return masksOfFields(pieces);
    at += before.length;
    const hidden = [redactedText, ...keys.map((key) => keyBehind(before, key))].find((text) =>
      sent.startsWith(text, at),
    );
    if (hidden !== undefined && hidden !== redactedText) own.push(mask);
    at = hidden === undefined ? sent.indexOf(pieces[mask + 1] ?? '', at) : at + hidden.length;
    if (at < 0) return masksOfFields(pieces);
  }
  return sent.slice(at) === pieces.at(-1) ? own : masksOfFields(pieces);
};

/**
 * A redacted text with the account's key where it was, as `ownMasks` noted. Without a note only fields have it again: another
 * mask may stand in a link to somebody else's host, or in what an agent wrote.
 */
export const withOwnKey = (redacted: string, key: string, noted?: readonly number[]): string => {
  const pieces = textsAround(redacted);
  const own = new Set(noted ?? masksOfFields(pieces));
  const filled = pieces
    .slice(0, -1)
    .map((piece, mask) => `${piece}${own.has(mask) ? keyBehind(piece, key) : redactedText}`);
  return `${filled.join('')}${pieces.at(-1)}`;
};

const expected = 'must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~';

/** The secret part of the callback address. Only the telephony service is given that address. */
export const CallbackSecret = z.string(expected).check(z.regex(/^[A-Za-z0-9._~-]{16,128}$/, expected));

/** The SHA-256 of each secret in hexadecimal, joined with commas. It is deployed in place of the secrets. */
export const callbackSecretHash = (...secrets: readonly string[]): string =>
  secrets.map((secret) => sha256(secret).toString('hex')).join(',');

/** Whether one of the hashes is that of this secret. The check takes as long for a wrong secret as for a right one. */
export const isCallbackSecret = (sent: string, hashes: string): boolean => {
  const digest = sha256(sent);
  const matches = hashes.split(',').map((hash) => timingSafeEqual(digest, Buffer.from(hash, 'hex')));
  return matches.includes(true);
};

/** A part of a path that may be a callback secret. It needs no escape in an address; the slash before it may have one. */
const pathPart = /(?<=\/|%(?:25){0,3}2F|\\u002F)[\w.~-]{16,128}(?![\w.~-])/gi;

/** Replaces the callback secrets in addresses that somebody wrote. Only their hashes are known. */
export const redactCallbackSecrets = (text: string, hashes: string | undefined, replacement: string): string =>
  hashes === undefined ? text : text.replace(pathPart, (part) => (isCallbackSecret(part, hashes) ? replacement : part));
