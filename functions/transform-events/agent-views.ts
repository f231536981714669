import { freeAgents, handlingAgents } from '../../lib/contract/rules.ts';
import { type Pattern, sqlConditionOf } from '../../lib/core/patterns.ts';
import { columnName } from './column.ts';
import { knownColumns, type ResultColumn } from './result-columns.ts';
import type { SqlFile } from './sql-files.ts';

/** The history's views of agents, in Athena's SQL. */

const endedDay: ResultColumn = {
  name: 'ended_day',
  type: 'string',
  meaning: 'The day in UTC on which it ended. A period needs all from its first day on, as intervals may be long.',
};

export const agentIntervalsView: SqlFile = {
  name: 'agent_intervals',
  title: 'Intervals of agents',
  meaning: 'Each time of an agent in a state once, as soon as it has ended. Repeats of an event count once.',
  columns: [
    endedDay,
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
  SELECT *, row_number() OVER (PARTITION BY day, event_id ORDER BY recorded_at) AS repeat_rank
  FROM agent_changes
  WHERE previous_since IS NOT NULL
) AS changes
WHERE repeat_rank = 1`,
};

const secondsIn = (agents: Pattern<string>): string =>
  `sum(CASE WHEN ${sqlConditionOf(agents, columnName)} THEN seconds ELSE 0 END)`;

export const agentTimeQuartersView: SqlFile = {
  name: 'agent_time_quarters',
  title: 'Quarters of agents’ time',
  meaning:
    'How long each agent was logged in, handled calls and was free, for each quarter of an hour. Every number may be summed up. ' +
    'The occupancy is handling_seconds / (handling_seconds + available_seconds).',
  columns: [
    endedDay,
    ...knownColumns(['account', 'agent_id', 'quarter']),
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
    -- A sequence has 10,000 entries at most. A hundred days have 9,600 quarters of an hour.
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
