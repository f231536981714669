-- title: Quarters of agents’ time
-- meaning: How long each agent was logged in, handled calls and was free, for each quarter of an hour. Every number may be summed up.
-- meaning: The occupancy is handling_seconds / (handling_seconds + available_seconds).
-- column: ended_day string: The day in UTC on which the intervals ended. A period needs all from its first day on.
-- column: account string: The telephony account.
-- column: agent_id string: The agent, by login id.
-- column: quarter timestamp: When the quarter of an hour begins, in UTC.
-- column: logged_in_seconds double: The time in all states.
-- column: handling_seconds double: The time in calling, in-call and acw.
-- column: available_seconds double: The time in ready.
SELECT
  ended_day, account, agent_id, quarter,
  sum(seconds) AS logged_in_seconds,
  sum(CASE WHEN state IN ('calling', 'in-call', 'acw') THEN seconds ELSE 0 END) AS handling_seconds,
  sum(CASE WHEN state = 'ready' THEN seconds ELSE 0 END) AS available_seconds
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
GROUP BY ended_day, account, agent_id, quarter
