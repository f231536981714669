import * as z from 'zod';
import { AgentInterval, AgentNow } from '../../lib/contract/rows.ts';
import { readAgentTime } from '../agents/agent-time.ts';
import { accountDay } from '../frame/asked-days.ts';
import { type ShownAccount, visible } from './accounts.ts';
import { feedAnswer } from './floor.ts';

/** Reads name and skills of an agent who is logged in, which the intervals of a day do not have. */
export const showAgentNow = async (account: ShownAccount, { id }: { readonly id: string }) => {
  const { lastKnown } = await account.client.agent(id);
  const { name, skills } = lastKnown === undefined ? {} : visible(account, AgentNow, lastKnown);
  return { now: account.clock().toISOString(), name, skills };
};

export const readAgentDay = async (
  account: ShownAccount,
  { id: agentId, day: askedDay }: { readonly id: string; readonly day: string },
) => {
  const { client, clock, timeZone } = account;
  const { day } = await accountDay(account, { day: askedDay, timeZone }, clock());
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
