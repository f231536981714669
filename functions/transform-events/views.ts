import { callDurations, countedCalls, countSums, defaultCountSettings } from '../../lib/contract/call-counts.ts';
import { freeAgents, handleParts, handlingAgents } from '../../lib/contract/rules.ts';
import { keysOf, mapValues } from '../../lib/core/collections.ts';
import { type Pattern, sqlConditionOf } from '../../lib/core/patterns.ts';
import { columnName } from './column.ts';
import { columnsOfTable, figureColumns, knownColumns, viewCounts } from './result-columns.ts';
import type { SqlFile } from './sql-files.ts';

/** The history's views, in Athena's SQL. Which call counts in what comes from `lib/contract/call-counts.ts`. */

const settings: SqlFile = {
  name: 'settings',
  title: 'Settings',
  meaning: 'What the other views count by. Create this view again with other numbers, and all figures follow.',
  columns: [
    {
      name: 'within_seconds',
      type: 'int',
      meaning: 'A call is answered in time if that took at most these seconds.',
    },
    {
      name: 'short_seconds',
      type: 'int',
      meaning: 'An abandoned call is short if it ended in less than these seconds after its start.',
    },
  ],
  sql: `SELECT ${defaultCountSettings.withinSeconds} AS within_seconds, ${defaultCountSettings.shortSeconds} AS short_seconds`,
};

const list = (columns: readonly string[], separator = ', '): string => columns.join(separator);
const lines = (columns: readonly string[]): string => list(columns, ',\n    ');

const revisionColumns = columnsOfTable('call_revisions');

const calls: SqlFile = {
  name: 'calls',
  title: 'Calls',
  meaning:
    'Each call once, as of its highest revision. Repeats and replays of an event count once. ' +
    'A revision that moved the call to the day before or after replaces what that day had of it.',
  columns: revisionColumns,
  sql: `WITH of_days AS (
  SELECT *, row_number() OVER (PARTITION BY day, account, call_id ORDER BY revision DESC, replayed_at DESC NULLS LAST) AS place
  FROM call_revisions
),
-- What the days beside a day have of its calls. Each branch needs one day of the table for one day, which Athena sees before it reads.
beside AS (
  SELECT substr(CAST(CAST(day AS date) + INTERVAL '1' DAY AS varchar), 1, 10) AS day, account, call_id, revision
  FROM call_revisions
  WHERE revision > 1
  UNION ALL
  SELECT substr(CAST(CAST(day AS date) - INTERVAL '1' DAY AS varchar), 1, 10) AS day, account, call_id, revision
  FROM call_revisions
  WHERE revision > 1
),
moved AS (
  SELECT day, account, call_id, max(revision) AS revision FROM beside GROUP BY day, account, call_id
)
SELECT ${list(revisionColumns.map(({ name }) => `of_days.${name}`))}
FROM of_days
LEFT JOIN moved
  ON moved.day = of_days.day AND moved.account = of_days.account AND moved.call_id = of_days.call_id
WHERE of_days.place = 1 AND coalesce(moved.revision, 0) < of_days.revision`,
};

const conditions = mapValues(
  countedCalls({ shortSeconds: 'short_seconds', withinSeconds: 'within_seconds' }),
  (pattern) => sqlConditionOf(pattern, columnName),
);

const counts = keysOf(viewCounts).filter((name) => name !== 'calls');

const sums: ReadonlyMap<string, { readonly add: readonly string[]; readonly take: readonly string[] }> = new Map(
  Object.entries(countSums),
);

/** A count that is declared as a sum of others, and any other as itself. */
const countSql = (name: string): string => {
  const sum = sums.get(name);
  if (sum === undefined) return columnName(name);
  return `${list([list(sum.add.map(columnName), ' + '), ...sum.take.map(columnName)], ' - ')} AS ${columnName(name)}`;
};

const judged = keysOf(conditions).filter((name) => name !== 'calls');

const durations = Object.values(callDurations).map(({ field, of }) => ({
  column: columnName(field),
  of,
  // As `handleSecondsOf` of the contract.
  sql:
    field === 'handleSeconds'
      ? `coalesce(${list(handleParts.map(columnName), ' + ')}, handle_seconds)`
      : columnName(field),
}));

const periodColumns = ['quarter', 'local_day', 'local_quarter'];
const keyColumns =
  'day, account, call_id, place, agents, agent_id, quarter, local_day, local_quarter, skill_name, campaign_name';

const counted: SqlFile = {
  name: 'counted_calls',
  title: 'Counted calls',
  meaning:
    'How each call counts, as the figures of `callfeed day` do. Place 0 is the call as a whole; the others are its agents. ' +
    'A number is 1 where the call counts. Durations are absent where they count in no figure.',
  columns: [
    ...knownColumns(['day', 'account', 'call_id']),
    { name: 'place', type: 'int', meaning: '0 for the whole call, else which of its agents it is.' },
    { name: 'agents', type: 'int', meaning: 'How many agents the call names.' },
    ...knownColumns(['agent_id', ...periodColumns, 'skill_name', 'campaign_name']),
    ...counts.map((name) => ({ name: columnName(name), type: 'int' as const, meaning: viewCounts[name] })),
    ...knownColumns(durations.map(({ column }) => column)),
  ],
  // Each call as a whole, and again for each of its agents, whose values are at their place in the lists.
  sql: `WITH parts AS (
  SELECT
    day, account, call_id, CAST(place AS integer) AS place, CAST(coalesce(cardinality(agent_ids), 0) AS integer) AS agents,
    CASE WHEN place > 0 THEN agent_ids[place] END AS agent_id,
    quarter, local_day, local_quarter, skill_name, campaign_name, status, type, hangup_by, elapsed_seconds,
    CASE WHEN place > 0 THEN agent_answered[place] ELSE status = 'answered' END AS is_answered,
    ${lines(durations.map(({ column }) => `CASE WHEN place > 0 THEN agent_${column}[place] ELSE ${column} END AS ${column}`))}
  FROM calls
  CROSS JOIN UNNEST(sequence(0, coalesce(cardinality(agent_ids), 0))) AS part (place)
),
judged AS (
  SELECT
    ${keyColumns},
    ${lines(judged.map((name) => `CASE WHEN ${conditions[name]} THEN 1 ELSE 0 END AS ${columnName(name)}`))},
    ${lines(durations.map(({ column, of, sql }) => `CASE WHEN ${conditions[of]} THEN ${sql} END AS ${column}`))}
  FROM parts
  CROSS JOIN settings
)
SELECT
  ${keyColumns},
  ${list(counts.map(countSql), ',\n  ')},
  ${list(durations.map(({ column }) => column))}
FROM judged`,
};

const quarters = (
  about: Pick<SqlFile, 'name' | 'title' | 'meaning'>,
  by: readonly string[],
  places: string,
): SqlFile => {
  const keys = ['day', 'account', ...periodColumns, ...by];
  return {
    ...about,
    columns: [...knownColumns(keys), ...figureColumns],
    sql: `SELECT
  ${list([list(keys), ...figureColumns.map(({ name, sql }) => `${sql} AS ${name}`)], ',\n  ')}
FROM counted_calls
WHERE ${places}
GROUP BY ${list(keys)}`,
  };
};

const agentIntervals: SqlFile = {
  name: 'agent_intervals',
  title: 'Intervals of agents',
  meaning: 'Each time of an agent in a state once, as soon as it has ended. Repeats of an event count once.',
  columns: [
    {
      name: 'ended_day',
      type: 'string',
      meaning: 'The day in UTC on which it ended. A period needs all from its first day on, as intervals may be long.',
    },
    ...knownColumns(['account', 'agent_id', 'logged_in_since']),
    { name: 'state', type: 'string', meaning: 'What the agent was doing.' },
    { name: 'started_at', type: 'timestamp', meaning: 'When the agent entered the state.' },
    { name: 'ended_at', type: 'timestamp', meaning: 'When the agent left it.' },
    { name: 'seconds', type: 'double', meaning: 'How long it lasted.' },
    { name: 'next_state', type: 'string', meaning: 'What followed; `logged-out` after the log-out.' },
    { name: 'skills', type: 'array<string>', meaning: 'The agent’s skills when it ended.' },
  ],
  sql: `SELECT
  day AS ended_day, account, agent_id, logged_in_since,
  previous_state AS state, previous_since AS started_at, changed_at AS ended_at, previous_seconds AS seconds,
  state AS next_state, skills
FROM (
  SELECT *, row_number() OVER (PARTITION BY day, event_id ORDER BY recorded_at) AS place
  FROM agent_changes
  WHERE previous_since IS NOT NULL
) AS changes
WHERE place = 1`,
};

const secondsIn = (agents: Pattern<string>): string =>
  `sum(CASE WHEN ${sqlConditionOf(agents, columnName)} THEN seconds ELSE 0 END)`;

const agentTimeQuarters: SqlFile = {
  name: 'agent_time_quarters',
  title: 'Quarters of agents’ time',
  meaning:
    'How long each agent was logged in, handled calls and was free, for each quarter of an hour. Every number may be summed up. ' +
    'The occupancy is handling_seconds / (handling_seconds + available_seconds).',
  columns: [
    ...agentIntervals.columns.slice(0, 3),
    ...knownColumns(['quarter']),
    { name: 'logged_in_seconds', type: 'double', meaning: 'The time in all states.' },
    { name: 'handling_seconds', type: 'double', meaning: 'The time in calling, in a call and after-call work.' },
    { name: 'available_seconds', type: 'double', meaning: 'The time in ready.' },
  ],
  sql: `SELECT
  ended_day, account, agent_id, quarter,
  sum(seconds) AS logged_in_seconds,
  ${secondsIn(handlingAgents)} AS handling_seconds,
  ${secondsIn(freeAgents)} AS available_seconds
FROM (
  SELECT
    ended_day, account, agent_id, state, quarter,
    date_diff('millisecond', greatest(started_at, quarter), least(ended_at, quarter + INTERVAL '15' MINUTE)) / 1e3 AS seconds
  FROM agent_intervals
  CROSS JOIN UNNEST(
    sequence(
      date_trunc('hour', greatest(started_at, ended_at - INTERVAL '100' DAY)),
      ended_at,
      INTERVAL '15' MINUTE
    )
  ) AS quarters (quarter)
  WHERE quarter < ended_at AND quarter + INTERVAL '15' MINUTE > started_at
) AS pieces
GROUP BY ended_day, account, agent_id, quarter`,
};

/** The views, in the order in which they are created: each reads tables and views before it. */
export const views: readonly SqlFile[] = [
  settings,
  calls,
  counted,
  quarters(
    {
      name: 'call_quarters',
      title: 'Quarters of calls',
      meaning:
        'The figures of calls for each quarter of an hour, skill and campaign. Every number may be summed up: over campaigns it is ' +
        'by skill. Of `time_to_answer_longest_seconds` the greatest counts.',
    },
    ['skill_name', 'campaign_name'],
    'place = 0',
  ),
  quarters(
    {
      name: 'agent_call_quarters',
      title: 'Quarters of agents’ calls',
      meaning:
        'The figures of calls for each quarter of an hour and agent. A call counts once for each agent that it names. ' +
        'Durations that several agents share count for none of them.',
    },
    ['agent_id'],
    'place > 0 OR agents = 0',
  ),
  agentIntervals,
  agentTimeQuarters,
];
