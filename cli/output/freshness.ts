import { diagnoseFeed, type FeedDiagnosis, type Freshness, feedProblemText } from '../../lib/client/index.ts';
import { durationText } from './report.ts';
import { printable, styled, type Terminal } from './terminal.ts';

export const freshnessFields = (feed: Freshness) => ({
  freshness: feed.freshness,
  ...(feed.freshness !== 'none' && { asOf: feed.asOf, ageSeconds: feed.ageSeconds }),
});

export const freshnessLine = (terminal: Terminal, account: string, feed: Freshness, now: Date): string => {
  const name = printable(account);
  const problems = problemSentences(diagnoseFeed(feed.feed, now));
  if (feed.freshness === 'none') {
    const hint = feed.feed === undefined ? ' (is the account spelt as in the secret, and is polling on?)' : '';
    return styled(terminal, 'red', `NEVER POLLED: no poll of ${name} has succeeded yet${hint}.${problems}`);
  }
  const age = `${feed.asOf}, ${durationText(feed.ageSeconds)} ago`;
  if (feed.freshness === 'live') return `${name}, as of ${age}.`;
  return styled(terminal, 'red', `STALE: ${name} as last seen ${age}; it may have changed since.${problems}`);
};

const problemSentences = ({ now, before }: FeedDiagnosis): string => {
  const present = now?.since === undefined ? '' : ` Since ${now.since} ${feedProblemText(now)}.`;
  const past = before && ` An earlier problem is over, last met at ${before.since}: ${feedProblemText(before)}.`;
  return `${present}${past ?? ''}`;
};
