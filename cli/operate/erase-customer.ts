import { erased } from '../../lib/calls/call-keys.ts';
import type { RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { sumsIn } from '../../lib/calls/plausible-facts.ts';
import { isFound, numberPattern, plainText, replaceFound } from '../../lib/core/numbers-in-text.ts';
import { factsErasedAs } from '../../lib/telephony/call-fields.ts';
import { e164, soughtNumber } from '../../lib/telephony/e164.ts';
import { literalPattern, type Person, replaceFields, replaceTexts } from './erase-person.ts';

/** A telephone number or an address, and nothing else: it goes whole, with whatever is around it. */
const numberFields = factsErasedAs('customer-number');

/** Free text and recordings: no search finds the customer in them. */
const freeTexts = factsErasedAs('text');

/**
 * A customer, as `customerSearch` finds them. In the calls that name them the number or address, every recording, comment and
 * user-to-user information become the word `erased`, and undocumented fields go. A field stays where it was, because
 * deliveries are ranked by the fields that they have.
 */
export const customer = ({ pattern, isSameNumber }: CustomerSearch, account: string | undefined): Person => {
  const isNamed = (text: string) => isFound(pattern, text);
  const mask = (text: string) => replaceFound(text, [pattern], erased);

  /** Of a whole number the library knows more spellings than a search in texts does. */
  const isInField = (value: unknown, field?: string): boolean => {
    if (typeof value === 'string') return isNamed(value) || (numberFields.includes(`${field}`) && isSameNumber(value));
    if (Array.isArray(value)) return value.some((entry) => isInField(entry, field));
    return Object.entries(value ?? {}).some(([name, entry]) => isNamed(name) || isInField(entry, name));
  };
  const withoutCustomer = ({ extra, ...facts }: RecordFacts): RecordFacts => {
    const numberless = replaceFields({ ...sumsIn(extra), ...facts }, numberFields, (value) =>
      isInField(value, 'customerNumber') ? erased : value,
    );
    const rest = replaceFields(numberless, freeTexts, (value) => (Array.isArray(value) ? [erased] : erased));
    return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, replaceTexts(value, mask)]));
  };
  const isInText = (text: string) => [text, withoutEscapes(text)].some(isNamed);
  return { account, isIn: (facts) => isInField(facts), isInText, eraser: () => withoutCustomer };
};

/** A JSON text as it was before: it may write any character by its code. */
const withoutEscapes = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** An address has no blanks, and something that a plain word has not. */
const addressForm = /^(?=.*\p{L})(?=.*[\p{Nd}@:._-])[^\s"<>{}]{5,254}$/u;

/** An address of mail or a name in a chat, whole and in any case, as the first group. A plain word would be found too often. */
const addressPattern = (typed: string): RegExp | undefined => {
  const address = typed.trim();
  if (!addressForm.test(address)) return undefined;

  return new RegExp(
    String.raw`(?<![\p{L}\p{Nd}._%+-])(${literalPattern(address)})(?![\p{L}\p{Nd}_%+-]|[.@][\p{L}\p{Nd}])`,
    'giu',
  );
};

/** How a customer is found by number, address or name: in any text, and in a field that holds a number. */
export interface CustomerSearch {
  readonly pattern: RegExp;
  readonly isSameNumber: (sent: string) => boolean;
}

/**
 * The search for what somebody typed; undefined for other texts. `countries` has the country of each account's numbers. A number that is
 * not the same one in all of them is found with any country code.
 */
export const customerSearch = (
  typed: string,
  countries: readonly (string | undefined)[] = [],
): CustomerSearch | undefined => {
  const [country, ...others] = countries;
  const inOne = e164(typed, country);
  const number = others.every((other) => e164(typed, other) === inOne) ? inOne : undefined;
  const sought = soughtNumber(typed, number);
  const pattern = sought === undefined ? addressPattern(plainText(typed)) : numberPattern(sought);
  const isSameNumber = (sent: string) => number !== undefined && countries.some((one) => e164(sent, one) === number);
  return pattern && { pattern, isSameNumber };
};
