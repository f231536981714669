import type { ListedCall } from '../../lib/client/index.ts';
import { customerPattern } from '../../lib/operate/erase-customer.ts';
import { firstPage } from '../call-list.ts';
import { Problem } from '../problem.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { personalAdvice } from './calls.ts';

/** The calls of a caller, over all days. */
export interface CustomerAnswer {
  readonly now: string;
  /** Newest first. */
  readonly calls: readonly ListedCall[];
  /** The spellings whose calls were read. */
  readonly numbers: readonly string[];
  /** How many of the newest calls were searched for other spellings. */
  readonly searched: number;
}

/** Calls of each spelling; the newest calls that are searched; and the spellings, so that no question costs much. */
const [callsOfEach, searchedCalls, maxNumbers] = [100, 1_000, 12];

/** The last digits of a number are enough to find it. */
const minLastDigits = 4;

/**
 * Finds a caller, however the number is typed. The index has numbers as they were sent, so the calls of the
 * usual spellings are read. The newest calls are searched for other numbers: the same one in another spelling, or with these
 * last digits.
 */
export const readCustomer = async (
  { clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>,
  { client }: ShownAccount,
  typed: string,
): Promise<CustomerAnswer> => {
  if (!isPersonal) throw new Problem(personalAdvice, 2);
  const newest = await firstPage(client.calls().pages(searchedCalls));
  const isCaller = callerTest(typed);
  const found = newest.calls.flatMap(({ customerNumber: number }) =>
    number !== undefined && isCaller(number) ? [number] : [],
  );
  const numbers = [...new Set([...found, ...spellingsOf(typed)])].slice(0, maxNumbers);
  const pages = await Promise.all(
    numbers.map((number) => firstPage(client.callsOfCustomer(number).pages(callsOfEach))),
  );
  const calls = pages.flatMap((page) => page.calls).sort((a, b) => b.listedAt.localeCompare(a.listedAt));
  const withCalls = numbers.filter((_, index) => (pages[index]?.calls.length ?? 0) > 0);
  return { now: clock().toISOString(), calls, numbers: withCalls, searched: newest.calls.length };
};

const digitsOf = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');

const callerTest = (typed: string): ((number: string) => boolean) => {
  const pattern = customerPattern(typed);
  const digits = digitsOf(typed);
  const hasEnding = (number: string) => digits.length >= minLastDigits && digitsOf(number).endsWith(digits);
  const isSpelling = (number: string) =>
    pattern !== undefined && [...number.matchAll(pattern)].some(([, caller]) => caller !== undefined);
  return (number) => hasEnding(number) || isSpelling(number);
};

const spellingsOf = (typed: string): readonly string[] => {
  const digits = digitsOf(typed);
  return [typed.trim(), ...(digits === '' ? [] : ['', '0', '+', '00'].map((prefix) => `${prefix}${digits}`))];
};
