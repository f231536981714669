import {
  type CountSum,
  callDurations,
  countedCalls,
  countSums,
  defaultCountSettings,
} from '../../lib/contract/call-counts.ts';
import { handleParts } from '../../lib/contract/rules.ts';
import { keysOf, mapValues } from '../../lib/core/collections.ts';
import { sqlConditionOf } from '../../lib/core/patterns.ts';
import { columnName } from './column.ts';
import { columnsOfTable, figureColumns, knownColumns, viewCounts } from './result-columns.ts';
import type { SqlFile } from './sql-files.ts';

/** The history's views of calls, in Athena's SQL. Which call counts in what comes from `lib/contract/call-counts.ts`. */

export const settingsView: SqlFile = {
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

const lines = (columns: readonly string[]): string => columns.join(',\n    ');

const revisionColumns = columnsOfTable('call_revisions');

export const callsView: SqlFile = {
  name: 'calls',
  title: 'Calls',
  meaning:
    'Each call once, as of its highest revision. Repeats and replays of an event count once. ' +
    'A revision that moved the call to the day before or after replaces what that day had of it.',
  columns: revisionColumns,
  sql: `WITH of_days AS (
  SELECT *, row_number() OVER (PARTITION BY day, account, call_id ORDER BY revision DESC, replayed_at DESC NULLS LAST) AS revision_rank
  FROM call_revisions
),
-- What the days before and after have of a day's calls. Each branch asks for one day of the table, which Athena sees before it reads.
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
SELECT ${revisionColumns.map(({ name }) => `of_days.${name}`).join(', ')}
FROM of_days
LEFT JOIN moved
  ON moved.day = of_days.day AND moved.account = of_days.account AND moved.call_id = of_days.call_id
WHERE of_days.revision_rank = 1 AND coalesce(moved.revision, 0) < of_days.revision`,
};

const conditions = mapValues(
  countedCalls({ shortSeconds: 'short_seconds', withinSeconds: 'within_seconds' }),
  (pattern) => sqlConditionOf(pattern, columnName),
);

/** The counts that the view lists, and those that a pattern decides. */
const publishedCounts = keysOf(viewCounts).filter((name) => name !== 'calls');
const testedCounts = keysOf(conditions).filter((name) => name !== 'calls');

const sums: Readonly<Record<string, CountSum>> = countSums;

/** A count that is declared as a sum of others, and any other as itself. */
const countSql = (name: string): string => {
  const sum = Object.hasOwn(sums, name) ? sums[name] : undefined;
  if (sum === undefined) return columnName(name);
  const added = sum.add.map(columnName).join(' + ');
  const taken = sum.take.map((other) => ` - ${columnName(other)}`).join('');
  return `${added}${taken} AS ${columnName(name)}`;
};

const durations = Object.values(callDurations).map(({ field, of }) => ({
  column: columnName(field),
  of,
  // As `handleSecondsOf` of the contract.
  sql:
    field === 'handleSeconds'
      ? `coalesce(${handleParts.map(columnName).join(' + ')}, handle_seconds)`
      : columnName(field),
}));

const periodColumns = ['quarter', 'local_day', 'local_quarter'];
const keyColumns =
  'day, account, call_id, place, agents, agent_id, quarter, local_day, local_quarter, skill_name, campaign_name';

export const countedCallsView: SqlFile = {
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
    ...publishedCounts.map((name) => ({ name: columnName(name), type: 'int' as const, meaning: viewCounts[name] })),
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
tested AS (
  SELECT
    ${keyColumns},
    ${lines(testedCounts.map((name) => `CASE WHEN ${conditions[name]} THEN 1 ELSE 0 END AS ${columnName(name)}`))},
    ${lines(durations.map(({ column, of, sql }) => `CASE WHEN ${conditions[of]} THEN ${sql} END AS ${column}`))}
  FROM parts
  CROSS JOIN settings
)
SELECT
  ${keyColumns},
  ${publishedCounts.map(countSql).join(',\n  ')},
  ${durations.map(({ column }) => column).join(', ')}
FROM tested`,
};

/** A view of the figures by quarters of an hour and by `keys`, of those counted calls that fit a condition. */
const quartersView = ({
  keys,
  condition,
  ...about
}: Pick<SqlFile, 'name' | 'title' | 'meaning'> & {
  readonly keys: readonly string[];
  readonly condition: string;
}): SqlFile => {
  const groupedBy = ['day', 'account', ...periodColumns, ...keys];
  return {
    ...about,
    columns: [...knownColumns(groupedBy), ...figureColumns],
    sql: `SELECT
  ${[groupedBy.join(', '), ...figureColumns.map(({ name, sql }) => `${sql} AS ${name}`)].join(',\n  ')}
FROM counted_calls
WHERE ${condition}
GROUP BY ${groupedBy.join(', ')}`,
  };
};

export const callQuartersView = quartersView({
  name: 'call_quarters',
  title: 'Quarters of calls',
  meaning:
    'The figures of calls for each quarter of an hour, skill and campaign. Every number may be summed up: over campaigns it is ' +
    'by skill. Of `time_to_answer_longest_seconds` the greatest counts.',
  keys: ['skill_name', 'campaign_name'],
  condition: 'place = 0',
});

export const agentCallQuartersView = quartersView({
  name: 'agent_call_quarters',
  title: 'Quarters of agents’ calls',
  meaning:
    'The figures of calls for each quarter of an hour and agent. A call counts once for each agent that it names. ' +
    'Durations that several agents share count for none of them.',
  keys: ['agent_id'],
  condition: 'place > 0 OR agents = 0',
});
