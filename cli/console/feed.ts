import { diagnoseFeed, type FeedProblem, type Freshness, feedProblemText } from '../../lib/client/index.ts';
import { freshnessFields } from '../output/agents.ts';

/** How old the picture of the agents is. */
export interface FeedAnswer {
  readonly now: string;
  readonly freshness: Freshness['freshness'];
  readonly asOf?: string;
  /** What is wrong now, and what was wrong last before that, in words. */
  readonly problem?: ProblemInWords | undefined;
  readonly earlier?: ProblemInWords | undefined;
}

/** A problem of the feed for people, and since when it lasts; for one that is over, when it was last met. */
export interface ProblemInWords {
  readonly text: string;
  readonly since?: string | undefined;
}

/** What every view shows of the feed. */
export const feedAnswer = (feed: Freshness, now: Date): FeedAnswer => {
  const { ageSeconds: _age, ...fields } = { ageSeconds: 0, ...freshnessFields(feed) };
  return { now: now.toISOString(), ...fields, ...problemsInWords(feed, now) };
};

/** What is wrong with a feed and what was, from the diagnosis that every reader shares. */
const problemsInWords = ({ feed }: Freshness, at: Date): Pick<FeedAnswer, 'problem' | 'earlier'> => {
  const { now, before } = diagnoseFeed(feed, at);
  const inWords = (problem: FeedProblem) => ({ text: feedProblemText(problem), since: problem.since });
  return { problem: now && inWords(now), earlier: before && inWords(before) };
};
