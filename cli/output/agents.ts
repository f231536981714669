import {
  diagnoseFeed,
  type FeedDiagnosis,
  type Freshness,
  feedProblemText,
  type SnapshotAgent,
} from '../../lib/client/index.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import { durationText, joined, report } from './report.ts';
import { printable, styled, type Terminal } from './terminal.ts';

export const freshnessFields = (feed: Freshness) => ({
  freshness: feed.freshness,
  ...(feed.freshness !== 'none' && { asOf: feed.asOf, ageSeconds: feed.ageSeconds }),
});

/** How old the data about an account's agents is, and what is wrong and what was, in a line for people. */
export const freshnessLine = (terminal: Terminal, account: string, feed: Freshness, now: Date): string => {
  const name = printable(account);
  const problems = problemSentences(diagnoseFeed(feed.feed, now));
  if (feed.freshness === 'none')
    return styled(
      terminal,
      'red',
      `NEVER POLLED: no poll of ${name} has succeeded yet${neverPolledHint(feed)}.${problems}`,
    );

  const age = `${feed.asOf}, ${durationText(feed.ageSeconds)} ago`;
  if (feed.freshness === 'live') return `${name}, as of ${age}.`;
  return styled(terminal, 'red', `STALE: ${name} as last seen ${age}; it may have changed since.${problems}`);
};

/** The problem of now, and the one before, each with its time. An account without a feed has none. */
const problemSentences = ({ now, before }: FeedDiagnosis): string =>
  [
    ...(now?.since === undefined ? [] : [` Since ${now.since} ${feedProblemText(now)}.`]),
    ...(before === undefined
      ? []
      : [` An earlier problem is over, last met at ${before.since}: ${feedProblemText(before)}.`]),
  ].join('');

/** Without a feed row, nobody has ever tried to poll the account. */
const neverPolledHint = ({ feed }: { readonly feed: unknown }): string =>
  feed === undefined ? ' (is the account spelt as in the secret, and is polling on?)' : '';

const columns = { agentId: 'AGENT', state: 'STATE', since: 'SINCE', time: 'FOR', skills: 'SKILLS' };
const personalColumns = { name: 'NAME', phoneNumber: 'NUMBER', stateAsSent: 'AS SENT' };

export const agentTable = (
  terminal: Terminal,
  agents: readonly SnapshotAgent[],
  { until, showPersonal }: { readonly until: string; readonly showPersonal: boolean },
): void =>
  report(
    terminal,
    false,
    { ...columns, ...(showPersonal && personalColumns) },
    agents.map(({ extra: _extra, ...agent }) => ({
      ...agent,
      time: durationText(secondsBetween(agent.since, until)),
      skills: joined(agent.skills),
    })),
  );
