import { type AgentNow, diagnoseFeed, type Floor, feedProblemText } from 'callfeed/client';

/** The text of the screen. The age of the data comes first. */
export const screen = (floor: Floor, now: Date): string => {
  switch (floor.freshness) {
    case 'none':
      return neverPolled(floor, now);
    case 'live':
      return `Live: seen ${ageOf(floor.asOf, now)} ago.\n${agentsByState(floor.agents, now)}`;
    case 'stale': {
      const { asOf, feed, lastKnownAgents } = floor;
      const { now: problem } = diagnoseFeed(feed, now);
      const why = problem === undefined ? '' : `: ${feedProblemText(problem)}`;
      return `STALE: last seen at ${asOf}, ${ageOf(asOf, now)} ago${why}. Last known:\n${agentsByState(lastKnownAgents, now)}`;
    }
  }
};

const neverPolled = ({ feed }: Extract<Floor, { freshness: 'none' }>, now: Date): string => {
  const { now: problem } = diagnoseFeed(feed, now);
  return `NEVER POLLED: no poll has succeeded yet${problem === undefined ? '' : `: ${feedProblemText(problem)}`}.\n`;
};

const agentsByState = (agents: readonly AgentNow[], now: Date): string => {
  if (agents.length === 0) return '\n  nobody is logged in\n';
  const byState = Map.groupBy(agents, ({ state }) => state);

  return [...byState]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([state, members]) => `\n${state} ${members.length}\n${rowsOf(members, now)}`)
    .join('');
};

/** The longest in the state first. */
const rowsOf = (agents: readonly AgentNow[], now: Date): string =>
  agents
    .toSorted((a, b) => a.since.localeCompare(b.since))
    .map(
      ({ name, agentId, since, skills = [] }) =>
        `  ${printable(name ?? agentId).padEnd(24)} ${ageOf(since, now).padStart(10)}  ${printable(skills.join(', '))}`,
    )
    .map((row) => `${row.trimEnd()}\n`)
    .join('');

const ageOf = (instant: string, now: Date): string => {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(instant)) / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];

  return [hours > 0 && `${hours} h`, (hours > 0 || minutes > 0) && `${minutes} min`, hours === 0 && `${seconds % 60} s`]
    .filter(Boolean)
    .join(' ');
};

/** Names come from outside: control characters could change the terminal, so each becomes a question mark. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?');
