import type { ListedCall } from '../../lib/client/index.ts';
import { firstPage } from '../call-list.ts';
import { callerTest, callsOfNumbers, spellingsOf } from '../caller.ts';
import { Problem } from '../problem.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { personalAdvice } from './calls.ts';

export interface CustomerAnswer {
  readonly now: string;
  readonly calls: readonly ListedCall[];
  readonly isAtLeast: boolean;
  readonly numbers: readonly string[];
  /** The spellings that were looked for over all days. */
  readonly spellings: readonly string[];
  /** How many of the newest calls were searched for other spellings, and for numbers with these last digits. */
  readonly searched: number;
  /** How many more numbers were found there, whose calls were not read. */
  readonly otherNumbers: number;
}

/** The calls that are shown, the newest calls that are searched, and the numbers whose calls are read. */
const [maxCalls, searchedCalls, maxNumbers] = [500, 1_000, 12];

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
  const isCaller = callerTest(typed);
  const spellings = spellingsOf(typed);
  const found = new Set(spellings);
  let searched = 0;
  // DynamoDB ends a page at 1 MB, which fewer calls may take.
  for await (const { calls } of client.calls().pages(searchedCalls)) {
    const newest = calls.slice(0, searchedCalls - searched);
    searched += newest.length;
    for (const { customerNumber: number } of newest) if (number !== undefined && isCaller(number)) found.add(number);
    if (searched === searchedCalls) break;
  }
  const read = [...found].slice(0, maxNumbers);
  const { calls, next } = await firstPage(
    callsOfNumbers(client, read, { from: undefined, to: undefined }).pages(maxCalls),
  );
  return {
    now: clock().toISOString(),
    calls,
    isAtLeast: next !== undefined,
    numbers: [...new Set(calls.flatMap(({ customerNumber }) => customerNumber ?? []))],
    spellings,
    searched,
    otherNumbers: found.size - read.length,
  };
};
