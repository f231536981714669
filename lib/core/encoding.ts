import { hash } from 'node:crypto';
import { canonicalJson } from './json.ts';

/**
 * A short id for content: the first 128 bits of its SHA-256, in hexadecimal.
 * This file imports modules of Node, so code that runs in a browser must not import it.
 */
export const contentHash = (value: unknown): string => hash('sha256', canonicalJson(value), 'hex').slice(0, 32);

/** The SHA-256 of a text. Digests have equal lengths, so secrets of any length can be compared in constant time. */
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Loaded when a text is compressed first: it takes 1 to 5 % of the cold start of a function, and some do without it. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** Compresses a text: gzip in base64, which a row, a message and any reader can hold. `base64 -d | gunzip` undoes it. */
export const compressText = (text: string | Buffer): string => zlib().gzipSync(text).toString('base64');

export const decompressText = (compressed: string): string =>
  zlib().gunzipSync(Buffer.from(compressed, 'base64')).toString();

/** The bytes of a text in Latin-1, in which `%` and two digits stand for one of them. A plus sign stays. */
export const percentBytes = (latin1: string): Buffer => decodedInPlace(Buffer.from(latin1, 'latin1'));

/** A form with the blanks that its plus signs stand for. Of each of them, parsers make a string, and one of all before it. */
export const withBlanks = (form: string): string => form.split('+').join(' ');

/** A text as it was before its bytes were encoded as in an address. */
export const percentDecoded = (text: string): string =>
  text.includes('%') ? decodedInPlace(Buffer.from(text)).toString() : text;

/** A loop, because the receiver decodes megabytes of strangers: a regular expression takes thirty times as long. */
const decodedInPlace = (bytes: Buffer): Buffer => {
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const high = byte === percentSign ? hexDigit(bytes[at + 1]) : -1;
    const low = high < 0 ? -1 : hexDigit(bytes[at + 2]);
    bytes[length] = low < 0 ? byte : 16 * high + low;
    length += 1;
    if (low >= 0) at += 2;
  }
  return bytes.subarray(0, length);
};

const percentSign = 0x25;

/** The value of a hexadecimal digit, by the code of its character; -1 of another character, and at the end. */
const hexDigit = (code = 0): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lowerCase = code | 0x20;
  return lowerCase >= 0x61 && lowerCase <= 0x66 ? lowerCase - 0x57 : -1;
};

/**
 * A text as it is searched for a number or an address: with the characters that a form encoded, in their plain form, with digits
 * of ASCII, and without what only decorates a digit. Each character on its own: to normalise a run of marks takes the square of
 * its length.
 * @example plainText('０９８７/⁰⁰¹%2F२३४５') // 0987/001/2345
 */
export const plainText = (text: string): string =>
  percentDecoded(text)
    .replace(/[^\p{ASCII}]/gu, (character) => character.normalize('NFKC').replace(/[^\p{ASCII}]/gu, digitOr))
    .replace(/(?<=\d)[\p{M}\p{DI}]+/gu, '');

/** Unicode has the digits of a script side by side, from 0 to 9. Circled ones begin at 1. */
const digitOr = (character: string): string => {
  const code = Number(character.codePointAt(0));
  const one = circledOnes.find((first) => code >= first && code < first + 9);
  if (one !== undefined) return String(code - one + 1);
  if (!/\p{Nd}/u.test(character)) return character;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
};

/** Where the digits 1 to 9 begin that have no plain form in Unicode: in circles, double ones and dark ones. */
const circledOnes = [0x2776, 0x2780, 0x278a, 0x24f5];

/** Telephone numbers have no fewer digits. */
export const minDigits = 6;
