import { knownUpTo } from '../../client/agent-days.ts';
import type { AgentDay, CallfeedClient } from '../../client/index.ts';
import { wordText } from '../../lib/telephony/vocabularies.ts';
import { durationText, percent } from '../frame/texts.ts';

interface AskedTime {
  readonly agentId: string;
  readonly day: string;
  readonly timeZone: string;
}

/** An agent's day, the feed, and until when the day is known by it. */
export const readAgentTime = async (
  client: Pick<CallfeedClient, 'agentDay' | 'feed'>,
  { agentId, day, timeZone }: AskedTime,
  clock: () => Date,
) => {
  const agentDay: AgentDay = await client.agentDay(agentId, day, timeZone);
  // Read after the intervals: an older feed would hide the newest of them.
  const freshness = await client.feed();
  return { agentDay, freshness, upTo: knownUpTo(freshness.feed, agentDay, clock()) };
};

/** The times in each state, the longest first, as a table shows them. */
export const stateRows = (secondsByState: Readonly<Record<string, number>>, total: number) =>
  Object.entries(secondsByState)
    .toSorted(([, a], [, b]) => b - a)
    .map(([state, seconds]) => ({
      state: wordText(state),
      time: durationText(seconds),
      share: total === 0 ? undefined : percent(seconds / total),
    }));
