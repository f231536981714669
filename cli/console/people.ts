import * as z from 'zod';
import { knownUpTo } from '../../lib/client/past-agents.ts';
import { AgentInterval } from '../../lib/contract/rows.ts';
import { callerTest, callsOfNumbers, firstPage, spellingsOf } from '../call-list.ts';
import { accountDay } from '../reader.ts';
import { rejectIfHidden, type ShownAccount, visible } from './accounts.ts';
import { feedAnswer } from './floor.ts';

/** Reads the skills of an agent who is logged in, which the intervals of a day do not have. */
export const readAgentSkills = async ({ client, clock }: ShownAccount, { id }: { readonly id: string }) => {
  const { lastKnown } = await client.agent(id);
  return { now: clock().toISOString(), skills: lastKnown?.skills };
};

export const readAgentDay = async (
  account: ShownAccount,
  { id: agentId, ...asked }: { readonly id: string; readonly day: string },
) => {
  const { client, clock, timeZone } = account;
  const { day } = await accountDay(account, { ...asked, timeZone }, clock());
  const { start, end, intervals, secondsByState } = await client.agentDay(agentId, day, timeZone);
  // Read after the intervals: an older feed would hide the newest of them.
  const feed = await client.feed();
  const upTo = knownUpTo(feed.feed, { start, end }, clock());
  return {
    ...feedAnswer(feed, clock()),
    ...{ agentId, day, start, end, upTo },
    intervals: visible(account, z.array(AgentInterval), intervals),
    secondsByState: secondsByState(upTo),
  };
};

/** The calls that are shown, the newest calls that are searched, and the numbers whose calls are read. */
const [maxCalls, searchedCalls, maxNumbers] = [500, 1_000, 12];

/** Finds a caller by the usual spellings of a number. Other spellings and last digits are searched for in the newest calls. */
export const readCustomer = async (
  { client, clock, isPersonal }: Pick<ShownAccount, 'client' | 'clock' | 'isPersonal'>,
  { number: typed }: { readonly number: string },
) => {
  rejectIfHidden({ isPersonal });
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
