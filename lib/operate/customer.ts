import type { Facts } from '../core/collections.ts';
import { erased } from '../core/text.ts';
import { type Person, replaceFields, replaceTexts } from './person.ts';

/** A telephone number or an address, and nothing else: it goes whole, with whatever is around it. */
const numberFields = ['customerNumber', 'dialledNumber', 'participantNumber'];

/** What the customer said or somebody wrote about them: no search finds what is in it. */
const freeTexts = ['comments', 'uui', 'recordings', 'conferenceRecordings'];

/**
 * A customer, as `customerPattern` finds them. In the calls that name them the number or address, every recording, comment and
 * user-to-user information become the word `erased`, and undocumented fields go. A field stays where it was, because
 * deliveries are ranked by the fields that they have.
 */
export const customer = (pattern: RegExp, account: string | undefined): Person => {
  const isNamed = (text: string) => [...text.matchAll(pattern)].some(([, name]) => name !== undefined);
  const mask = (text: string) =>
    text.replace(pattern, (match, name: string | undefined) => (name === undefined ? match : erased));

  const isIn = (value: unknown): boolean => {
    if (typeof value === 'string') return isNamed(value);
    return value !== null && typeof value === 'object' && Object.entries(value).flat().some(isIn);
  };
  const withoutCustomer = ({ extra: _extra, ...facts }: Facts): Facts => {
    const numberless = replaceFields(facts, numberFields, (value) => (isIn(value) ? erased : value));
    const rest = replaceFields(numberless, freeTexts, (value) => (Array.isArray(value) ? [erased] : erased));
    return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, replaceTexts(value, mask)]));
  };
  const isInText = (text: string) => [text, withoutEscapes(text)].some(isNamed);
  return { account, isIn, isInText, eraser: () => withoutCustomer };
};

/** A text as it was before it was encoded: JSON may write any character by its code, and forms by its bytes. */
const withoutEscapes = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
