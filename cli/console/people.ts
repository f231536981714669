import * as z from 'zod';
import { customerKeys } from '../../client/customer-calls.ts';
import { AgentInterval, AgentNow } from '../../lib/contract/rows.ts';
import { plainText } from '../../lib/core/encoding.ts';
import { callerKey } from '../../lib/telephony/caller-key.ts';
import { readAgentTime } from '../agents/agent-time.ts';
import { firstPage } from '../calls/call-list.ts';
import { accountDay } from '../frame/asked-days.ts';
import { rejectIfHidden, type ShownAccount, visible } from './accounts.ts';
import { customerText } from './customer-text.ts';
import { feedAnswer } from './floor.ts';

/** Reads name and skills of an agent who is logged in, which the intervals of a day do not have. */
export const showAgentNow = async (account: ShownAccount, { id }: { readonly id: string }) => {
  const { lastKnown } = await account.client.agent(id);
  const { name, skills } = lastKnown === undefined ? {} : visible(account, AgentNow, lastKnown);
  return { now: account.clock().toISOString(), name, skills };
};

export const readAgentDay = async (
  account: ShownAccount,
  { id: agentId, ...asked }: { readonly id: string; readonly day: string },
) => {
  const { client, clock, timeZone } = account;
  const { day } = await accountDay(account, { ...asked, timeZone }, clock());
  const { agentDay, freshness, upTo } = await readAgentTime(client, { agentId, day, timeZone }, clock);
  const { start, end, intervals, secondsByState } = agentDay;
  return {
    ...feedAnswer(freshness, clock()),
    agentId,
    day,
    start,
    end,
    upTo,
    intervals: visible(account, z.array(AgentInterval), intervals),
    secondsByState: secondsByState(upTo),
  };
};

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
