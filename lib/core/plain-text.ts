import { percentDecoded } from './encoding.ts';

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
