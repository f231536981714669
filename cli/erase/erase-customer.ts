import { erased } from '../../lib/calls/call-keys.ts';
import type { RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { sumsIn } from '../../lib/calls/plausible-facts.ts';
import { percentDecoded, plainText } from '../../lib/core/encoding.ts';
import { isFound, replaceFound } from '../../lib/core/numbers-in-text.ts';
import { shownText } from '../../lib/core/shown-text.ts';
import { factsErasedAs } from '../../lib/telephony/call-fields.ts';
import { literalPattern, type Person, replaceFields, replaceTexts } from './erase-person.ts';
import { type PersonSearch, searchForNumber } from './search-for-number.ts';

/** A telephone number or an address, and nothing else: the whole field is erased. */
const numberFields = factsErasedAs('customer-number');

/** Free text and recordings: no search finds the customer in them. */
const freeTexts = factsErasedAs('text');

/**
 * A customer, as `customerSearch` finds them. In the calls that name them the number or address, every recording, comment and
 * user-to-user information become the word `erased`, and undocumented fields go. A field stays where it was, because
 * deliveries are ranked by the fields that they have.
 */
export const customerToErase = ({ search, isSameNumber }: PersonSearch, account: string | undefined): Person => {
  const namesInText = (value: unknown): boolean =>
    typeof value === 'string' ? isFound(search, value) : namesInside(value, namesInText);

  /** A number may look like a date, and a field that holds nothing else may then be that number. */
  const namesInNumber = (value: unknown): boolean =>
    typeof value === 'string' ? (isSameNumber(value) ?? namesInText(value)) : namesInside(value, namesInNumber);

  const namesInside = (value: unknown, namesInEntry: (entry: unknown) => boolean): boolean => {
    if (Array.isArray(value)) return value.some(namesInEntry);
    return Object.entries(value ?? {}).some(
      ([name, entry]) => namesInText(name) || (numberFields.includes(name) ? namesInNumber : namesInText)(entry),
    );
  };
  const mask = (text: string) => replaceFound(text, [search], erased);
  const withoutCustomer = ({ extra, ...facts }: RecordFacts): RecordFacts => {
    const numberless = replaceFields({ ...sumsIn(extra), ...facts }, numberFields, (value) =>
      namesInNumber(value) ? erased : value,
    );
    const rest = replaceFields(numberless, freeTexts, (value) => (Array.isArray(value) ? [erased] : erased));
    return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, replaceTexts(value, mask)]));
  };
  const isInText = (text: string) => [text, withoutEscapes(text)].some(namesInText);
  return { account, isIn: namesInText, isInText, eraser: () => withoutCustomer };
};

/**
 * A JSON text as it was before: it may write any character by its code, or be sent in a form, with `+` for each blank.
 * @example withoutEscapes('to=98765+43210') // 'to=98765 43210'
 * @example withoutEscapes(String.raw`{"to":"\u002b9198"}`) // '{"to":"+9198"}'
 */
const withoutEscapes = (text: string): string =>
  percentDecoded(/^[^\s{["]*=\S*$/.test(text) ? text.replaceAll('+', ' ') : text)
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\[bfnrt]/g, ' ');

/**
 * An address has no blanks, and contains a digit, @, or one of : . _ -
 * @example 'asha@example.com', 'asha.k' and 'asha7', but not 'Asha', '98765' or 'Asha Rao'
 */
const addressForm = /^(?=.*\p{L})(?=.*[\p{Nd}@:._-])[^\s"<>{}]{5,254}$/u;

/**
 * The search for an address of mail or a name in a chat, whole and in any case. A plain word would be found too often.
 * @example asha@example.com is in 'Mail: <Asha@Example.com>.', but not in 'natasha@example.com' or 'asha@example.com.au'
 */
const searchForAddress = (typed: string): PersonSearch | undefined => {
  const address = plainText(typed).trim();
  // A number with an exponent is none, and it may be rounded: a search for its digits would find nobody, or somebody else.
  if (!addressForm.test(address) || shownText(address) !== address) return undefined;

  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{Nd}._%+-])${literalPattern(address)}(?![\p{L}\p{Nd}_%+-]|[.@][\p{L}\p{Nd}])`,
    'giu',
  );
  return { search: (plain, by) => plain.replace(pattern, by), isSameNumber: () => undefined };
};

/** The search for what somebody typed, a number or an address; undefined for other texts. */
export const customerSearch = (typed: string, countries?: readonly (string | undefined)[]): PersonSearch | undefined =>
  searchForNumber(typed, countries) ?? searchForAddress(typed);
