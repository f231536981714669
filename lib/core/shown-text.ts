import { plainText } from './encoding.ts';

/** Whether a plain text may be shown otherwise than it is written. */
export const isMarkedUp = (plain: string): boolean => /[&<]|\de\+?\d/i.test(plain);

/**
 * A text in its plain form as a page of HTML shows it, but for its tags, and with the digits of numbers with an exponent.
 * @example shownText('98765&nbsp;43210, 9.87654321E+9') // '98765 43210, 9876543210'
 */
export const shownText = (text: string): string =>
  plainText(plainText(text).replace(reference, characterOf)).replace(withExponent, wholeNumber);

/** The shown text with a blank for tags, one for several side by side. @example untaggedText('<b>98765</b>43210') // ' 98765 43210' */
export const untaggedText = (text: string): string => shownText(text).replace(tags, ' ');

/** A character by its number or name, in HTML that may have been escaped several times. */
const reference = /&(?:amp;)*(?:#(\d{1,7})(?!\d);?|#x([\da-f]{1,6})(?![\da-f]);?|nbsp;?|([a-z][a-z\d]{1,31});)/gi;

/** What numbers, addresses and tags consist of. All others are blanks here, as most of those between digits are. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  plus: '+',
  commat: '@',
  period: '.',
  lowbar: '_',
};

const highestCode = 0x10_ff_ff;

const characterOf = (_: string, decimal?: string, hexadecimal?: string, name = ''): string => {
  if (decimal === undefined && hexadecimal === undefined) return named[name.toLowerCase()] ?? ' ';
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  return code > highestCode ? ' ' : String.fromCodePoint(code);
};

const tags = /(?:<(?:[!?][^<>]*|\/?[a-z][\w:-]*(?:[\s/][^<>]*)?)>\s*)+/gi;

/** As Java, spreadsheets and others write a large number: 9.87654321E9, 9.87654321E+09, 9,87654321e+9. */
const withExponent = /(?<![\d.,])(\d{1,3})[.,](\d{1,20})e\+?(\d{1,2})(?!\d)/gi;

/** A fraction that is longer than its exponent is no whole number. */
const wholeNumber = (written: string, whole: string, fraction: string, exponent: string): string => {
  const places = Number(exponent);
  return fraction.replace(/0+$/, '').length > places
    ? written
    : `${whole}${fraction.slice(0, places).padEnd(places, '0')}`;
};
