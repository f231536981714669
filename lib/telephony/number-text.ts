import { minDigits, plainText } from '../core/encoding.ts';
import { idOf, isRoundedId, splitChain } from './posted-fields.ts';

/** A longer text is no number, however it is decorated. */
const maxLength = 100;

/** What a text holds: one number, as its digits with a `+` where one was sent, or what is not surely one. */
export type NumberText =
  | { readonly number: string; readonly text?: never }
  | { readonly text: string; readonly number?: never };

/**
 * The number in a text, as telephones, gateways and spreadsheets write it: in an address (`tel:`, `sip:`), with an extension,
 * between arrows, quotes or words, and as a program writes numbers, if it lost no digit. The extension is no part of it.
 * @example numberIn('"Asha" <sip:+919840070002@gw.example>') // { number: '+919840070002' }
 */
export const numberIn = (sent: string): NumberText => {
  if (sent.length > maxLength) return { text: sent };
  const text = plainText(sent)
    .replace(/\p{Cf}/gu, '')
    .trim();
  const [first, ...others] = (splitChain(text) ?? []).map(inPart);
  return first !== undefined && others.every(({ number }) => number !== undefined && number === first.number)
    ? first
    : { text };
};

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** A name may stand before an address in angle brackets. If it is another number, it is not known which of them called. */
const inPart = (part: string): NumberText => {
  const start = part.indexOf('<');
  if (start < 0) return inAddress(part.trim());
  const end = part.indexOf('>', start);
  const found = inAddress(part.slice(start + 1, end < 0 ? part.length : end).trim());
  const name = digitsOf(part.slice(0, start));
  return name.length < minDigits || name === digitsOf(found.number ?? '') ? found : { text: part };
};

const inAddress = (address: string): NumberText => {
  const [scheme = ''] = /^(?:tel|sips?):/i.exec(address) ?? [];
  const sent = address.slice(scheme.length);
  const [head = '', ...parameters] = (/^sip/i.test(scheme) ? userOf(sent) : sent).split(';');
  const context = parameters.find((parameter) => /^phone-context=\+/i.test(parameter));
  const isExtension = (parameter: string) => /^\s*ext/i.test(parameter);
  // Only an address has parameters; elsewhere a second number may stand behind the semicolon.
  const isUnclear = scheme === '' && parameters.some((parameter) => /\d/.test(parameter) && !isExtension(parameter));
  return isUnclear ? { text: sent } : inWords(`${context?.slice(context.indexOf('+')) ?? ''}${head}`);
};

/** The user of a SIP address, without password and host. Nobody, where it names a host alone. */
const userOf = (address: string): string => {
  const at = address.lastIndexOf('@');
  const [user = ''] = address.slice(0, at < 0 ? address.length : at).split(':');
  return at < 0 && user.includes('.') ? '' : user;
};

/** What has no digits is decoration, unless a letter or a sign touches the number: then that may be a part of something else. */
const inWords = (sent: string): NumberText => {
  const quoted = sent.replace(/^[\s"'=]+|["'\s]+$/g, '');
  const whole = javaNumber(quoted) ?? quoted;
  if (isRoundedId(whole)) return { text: sent };
  const text = (idOf(whole) ?? whole).replace(extension, '$1');
  const start = text.search(/\d/);
  const end = text.search(/\d\D*$/) + 1;
  const before = text.slice(0, start);
  const number = text.slice(start, end);
  const isPart = /[\p{L}_]-*[+(]*$|[@*#]/u.test(before) || /^[-.]*[\p{L}_]|[@*#]/u.test(text.slice(end));
  if (start < 0 || isPart || !isOneNumber(number)) return { text: sent };
  return { number: `${/\+[\s(]*$/.test(before) ? '+' : ''}${digitsOf(number)}` };
};

/** Java writes all digits that a number has, without zeros at its end. Others write a plus before the exponent, and round. */
const javaNumber = (text: string): string | undefined => {
  const [, first, fraction = '', exponent] = /^([1-9])\.(\d+)E(\d{1,2})$/.exec(text) ?? [];
  const places = Number(exponent);
  return first === undefined || fraction.length > places ? undefined : `${first}${fraction.padEnd(places, '0')}`;
};

/** An extension behind a number: `x12`, `ext. 12`, `#12`, or behind the pauses of a dialler, `,,12`. More digits are a number. */
const extension = /(\d)\s*(?:[,;]?\s*(?:ext(?:ensio)?n?|x)|#|,+)[\s.:=]*\d{1,5}$/i;

/** A slash stands behind the code of an area, or between two numbers. */
const isOneNumber = (text: string): boolean => {
  const [area = '', ...others] = text.split('/');
  const isArea = digitsOf(area).length < minDigits;
  return usualMarks.test(text) && (others.length === 0 || (others.length === 1 && isArea));
};

const usualMarks = /^[\d\s()./\u2010-\u2015-]+$/u;
