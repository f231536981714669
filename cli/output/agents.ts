import { secondsBetween } from '../../lib/agents/interval.ts';
import type { Freshness, SnapshotAgent } from '../../lib/client/index.ts';
import { durationText, joined, report } from './report.ts';
import { printable, styled, type Terminal } from './terminal.ts';

/** How old a picture is, for programs: the fields in which each object about a floor says so. */
export const freshnessFields = (picture: Freshness) => ({
  freshness: picture.freshness,
  ...(picture.freshness !== 'none' && { asOf: picture.asOf, ageSeconds: picture.ageSeconds }),
});

/** How old the picture of an account's floor is, in a line that nobody takes for another. */
export const freshnessLine = (terminal: Terminal, account: string, picture: Freshness): string => {
  const name = printable(account);
  if (picture.freshness === 'none')
    return styled(terminal, 'red', `NEVER POLLED: nobody of ${name} has ever been seen${whyNone(picture)}.`);

  const age = `${picture.asOf}, ${durationText(picture.ageSeconds)} ago`;
  if (picture.freshness === 'live') return `${name}, as of ${age}.`;
  const why = picture.feed.lastProblem === undefined ? '' : ` The latest problem: ${picture.feed.lastProblem.reason}.`;
  return styled(terminal, 'red', `STALE: ${name} as last seen ${age}; it may be otherwise by now.${why}`);
};

const whyNone = ({ feed }: { readonly feed: unknown }): string =>
  feed === undefined ? ' (is the account spelt as in the secret, and polled?)' : '; the first answer is awaited';

const columns = { agentId: 'AGENT', state: 'STATE', since: 'SINCE', time: 'FOR', skills: 'SKILLS' };
const personalColumns = { name: 'NAME', phoneNumber: 'NUMBER', stateAsSent: 'AS SENT' };

/** Prints agents as a table; how long they have been in their states is counted up to an instant. */
export const agentTable = (
  terminal: Terminal,
  agents: readonly SnapshotAgent[],
  { until, showPersonal }: { readonly until: string; readonly showPersonal: boolean },
): void =>
  report(
    terminal,
    false,
    { ...columns, ...(showPersonal && personalColumns) },
    agents.map((agent) => ({
      ...agent,
      time: durationText(secondsBetween(agent.since, until)),
      skills: joined(agent.skills),
    })),
  );
