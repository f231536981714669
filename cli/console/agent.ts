import * as z from 'zod';
import { knownUpTo } from '../../lib/client/agents.ts';
import type { AgentInterval, SecondsByState } from '../../lib/client/index.ts';
import { AgentInterval as IntervalSchema } from '../../lib/contract/rows.ts';
import { redacted } from '../output/redact.ts';
import { accountDay } from '../reader.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { type FeedAnswer, feedAnswer } from './floor.ts';

/** An agent's day, known up to `upTo`, and the feed as it is now. */
export interface AgentAnswer extends FeedAnswer {
  readonly agentId: string;
  readonly day: string;
  readonly start: string;
  readonly end: string;
  readonly upTo: string;
  readonly intervals: readonly AgentInterval[];
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
  { agentId, day: asked }: { readonly agentId: string; readonly day: string },
): Promise<AgentAnswer> => {
  const { client, timeZone } = account;
  const { day } = await accountDay(account, { day: asked, timeZone }, clock());
  const agentDay = await client.agentDay(agentId, day, timeZone);
  // Read after the intervals: an older feed would hide the newest of them.
  const feed = await client.feed();
  const upTo = knownUpTo(feed.feed, agentDay, clock());
  const { start, end, intervals, secondsByState } = agentDay;
  return {
    ...feedAnswer(feed, clock()),
    agentId,
    day,
    start,
    end,
    upTo,
    intervals: isPersonal ? intervals : redacted(z.array(IntervalSchema), intervals),
    secondsByState: secondsByState(upTo),
  };
};
