import * as z from 'zod';
import { type AgentDay, knownUpTo, type SecondsByState } from '../../lib/client/agents.ts';
import type { ListedCall } from '../../lib/client/index.ts';
import { AgentInterval } from '../../lib/contract/rows.ts';
import { callerTest, callsOfNumbers, firstPage, spellingsOf } from '../call-list.ts';
import { redacted } from '../output/redact.ts';
import { Problem } from '../problem.ts';
import { accountDay } from '../reader.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { personalAdvice } from './calls.ts';
import { type FeedAnswer, feedAnswer } from './floor.ts';

/** An agent's day, known up to `upTo`, and the feed as it is now. */
export interface AgentAnswer extends FeedAnswer, Pick<AgentDay, 'agentId' | 'day' | 'start' | 'end' | 'intervals'> {
  readonly upTo: string;
  readonly secondsByState: SecondsByState;
}

/** The skills of an agent who is logged in; absent where none is known. */
export interface AgentSkillsAnswer {
  readonly now: string;
  readonly skills?: readonly string[] | undefined;
}

/** Reads an agent's skills, which the intervals of a day do not have. */
export const readAgentSkills = async (
  { clock }: Pick<ConsoleSettings, 'clock'>,
  { client }: ShownAccount,
  agentId: string,
): Promise<AgentSkillsAnswer> => {
  const { lastKnown } = await client.agent(agentId);
  return { now: clock().toISOString(), skills: lastKnown?.skills };
};

export const readAgentDay = async (
  { clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>,
  account: ShownAccount,
  { id: agentId, ...asked }: { readonly id: string; readonly day: string },
): Promise<AgentAnswer> => {
  const { client, timeZone } = account;
  const { day } = await accountDay(account, { ...asked, timeZone }, clock());
  const { start, end, intervals, secondsByState } = await client.agentDay(agentId, day, timeZone);
  // Read after the intervals: an older feed would hide the newest of them.
  const feed = await client.feed();
  const upTo = knownUpTo(feed.feed, { start, end }, clock());
  return {
    ...feedAnswer(feed, clock()),
    ...{ agentId, day, start, end, upTo },
    intervals: isPersonal ? intervals : redacted(z.array(AgentInterval), intervals),
    secondsByState: secondsByState(upTo),
  };
};

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
    ...{ spellings, searched },
    otherNumbers: found.size - read.length,
  };
};
