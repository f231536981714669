import { erased } from '../../lib/calls/call-keys.ts';
import type { RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { sumsIn } from '../../lib/calls/plausible-facts.ts';
import { percentDecoded, plainText } from '../../lib/core/encoding.ts';
import { isFound, replaceFound } from '../../lib/core/numbers-in-text.ts';
import { factsErasedAs } from '../../lib/telephony/call-fields.ts';
import { literalPattern, type Person, replaceFields, replaceTexts } from './erase-person.ts';
import { type PersonSearch, searchForNumber } from './number-search.ts';

/** A telephone number or an address, and nothing else: it goes whole, with whatever is around it. */
const numberFields = factsErasedAs('customer-number');

/** Free text and recordings: no search finds the customer in them. */
const freeTexts = factsErasedAs('text');

/**
 * A customer, as `customerSearch` finds them. In the calls that name them the number or address, every recording, comment and
 * user-to-user information become the word `erased`, and undocumented fields go. A field stays where it was, because
 * deliveries are ranked by the fields that they have.
 */
export const customer = ({ search, isSameNumber }: PersonSearch, account: string | undefined): Person => {
  const isNamed = (text: string) => isFound(search, text);
  const mask = (text: string) => replaceFound(text, [search], erased);

  /** A number may look like a date, and a field that holds nothing else may then be that number. */
  const isInField = (value: unknown, field?: string): boolean => {
    if (typeof value === 'string')
      return (numberFields.includes(`${field}`) ? isSameNumber(value) : undefined) ?? isNamed(value);
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

/** A JSON text as it was before: it may write any character by its code, or be sent in a form, with `+` for each blank. */
const withoutEscapes = (text: string): string =>
  percentDecoded(/^[^\s{["]*=\S*$/.test(text) ? text.replaceAll('+', ' ') : text)
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\[bfnrt]/g, ' ');

/** An address has no blanks, and something that a plain word has not. */
const addressForm = /^(?=.*\p{L})(?=.*[\p{Nd}@:._-])[^\s"<>{}]{5,254}$/u;

/** The search for an address of mail or a name in a chat, whole and in any case. A plain word would be found too often. */
const searchForAddress = (typed: string): PersonSearch | undefined => {
  const address = plainText(typed).trim();
  if (!addressForm.test(address)) return undefined;

  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{Nd}._%+-])${literalPattern(address)}(?![\p{L}\p{Nd}_%+-]|[.@][\p{L}\p{Nd}])`,
    'giu',
  );
  return { search: (plain, by) => plain.replace(pattern, by), isSameNumber: () => undefined };
};

/** The search for what somebody typed, a number or an address; undefined for other texts. */
export const customerSearch = (typed: string, countries?: readonly (string | undefined)[]): PersonSearch | undefined =>
  searchForNumber(typed, countries) ?? searchForAddress(typed);
