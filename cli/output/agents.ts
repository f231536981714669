import { secondsBetween } from '../../lib/agents/agent.ts';
import type { Freshness, SnapshotAgent } from '../../lib/client/index.ts';
import { durationText, joined, report } from './report.ts';
import { printable, styled, type Terminal } from './terminal.ts';

/** The fields that show programs how old the data about agents is. */
export const freshnessFields = (feed: Freshness) => ({
  freshness: feed.freshness,
  ...(feed.freshness !== 'none' && { asOf: feed.asOf, ageSeconds: feed.ageSeconds }),
});

/** How old the data about an account's agents is, in a line for people. */
export const freshnessLine = (terminal: Terminal, account: string, feed: Freshness): string => {
  const name = printable(account);
  if (feed.freshness === 'none')
    return styled(terminal, 'red', `NEVER POLLED: no poll of ${name} has succeeded yet${neverPolledHint(feed)}.`);

  const age = `${feed.asOf}, ${durationText(feed.ageSeconds)} ago`;
  if (feed.freshness === 'live') return `${name}, as of ${age}.`;
  const why = feed.feed.lastProblem === undefined ? '' : ` The latest problem: ${feed.feed.lastProblem.reason}.`;
  return styled(terminal, 'red', `STALE: ${name} as last seen ${age}; it may have changed since.${why}`);
};

/** Without a feed row, nobody has ever tried to poll the account. */
const neverPolledHint = ({ feed }: { readonly feed: unknown }): string =>
  feed === undefined ? ' (is the account spelt as in the secret, and is polling on?)' : '';

const columns = { agentId: 'AGENT', state: 'STATE', since: 'SINCE', time: 'FOR', skills: 'SKILLS' };
const personalColumns = { name: 'NAME', phoneNumber: 'NUMBER', stateAsSent: 'AS SENT' };

/** Prints agents as a table. The time in a state counts up to `until`, an ISO instant. */
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
