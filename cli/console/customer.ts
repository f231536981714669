import { customerKeys } from '../../client/customer-calls.ts';
import { plainText } from '../../lib/core/encoding.ts';
import { callerKey } from '../../lib/telephony/caller-key.ts';
import { firstPage } from '../calls/call-list.ts';
import { rejectIfHidden, type ShownAccount } from './accounts.ts';
import { customerText } from './customer-text.ts';

/** The calls that are shown. */
const maxCalls = 500;

/** The newest calls, which are searched for other spellings and numbers. */
const searchedCalls = 1_000;

/** The typed number, and the others whose calls are read. */
const maxNumbers = 12;

/** Fewer digits would match too many people. */
const minLastDigits = 4;

const digitsOf = (text: string): string => plainText(text).replace(/\D/g, '');

/** Whether a number is the one that is typed, or ends with the digits that are typed. */
export const callerTest = (typed: string, country: string | undefined): ((sent: string) => boolean) => {
  const number = callerKey(typed, country);
  const digits = /[\p{L}@]/u.test(typed) ? '' : digitsOf(typed);
  return (sent) =>
    (digits.length >= minLastDigits && digitsOf(sent).endsWith(digits)) ||
    (number !== undefined && callerKey(sent, country) === number);
};

/** Finds a caller by the spellings that machines use. Others, and last digits, are searched for in the newest calls. */
export const readCustomer = async (
  account: Pick<ShownAccount, 'client' | 'clock' | 'isPersonal' | 'country'>,
  { number: typed }: { readonly number: string },
) => {
  const { client, clock, isPersonal, country } = account;
  rejectIfHidden({ isPersonal });
  const isCaller = callerTest(typed, country);
  const usual = new Set(customerKeys(typed, country));
  const others = new Set<string>();
  let searched = 0;
  // DynamoDB ends a page at 1 MB, which fewer calls may take.
  for await (const { calls } of client.calls().pages(searchedCalls)) {
    const newest = calls.slice(0, searchedCalls - searched);
    searched += newest.length;
    for (const { customerNumber: number } of newest)
      if (number !== undefined && !usual.has(number) && isCaller(number)) others.add(number);
    if (searched === searchedCalls) break;
  }
  const spellings = [typed, ...others].slice(0, maxNumbers);
  const pages = await Promise.all(spellings.map((number) => firstPage(client.callsOfCustomer(number).pages(maxCalls))));
  const found = new Map(pages.flatMap(({ calls }) => calls.map((call) => [call.callId, call])));
  const calls = [...found.values()].toSorted((a, b) => b.listedAt.localeCompare(a.listedAt));
  return {
    now: clock().toISOString(),
    text: customerText(account, { customerNumber: typed }),
    calls: calls.slice(0, maxCalls).map((call) => ({ ...call, customerText: customerText(account, call) })),
    hasMore: calls.length > maxCalls || pages.some(({ next }) => next !== undefined),
    numbers: [...new Set(calls.flatMap(({ customerNumber }) => customerNumber ?? []))],
    searched,
    numbersNotRead: others.size + 1 - spellings.length,
  };
};
