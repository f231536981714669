-- title: What did each agent do on each day?
-- meaning: Calls and time of an agent, by the day of the account’s calendar.
-- meaning: The zone of an account is the one of its calls in the period; without a call, days are in UTC.
-- columns: account local_day agent_id
-- column: calls bigint: Calls of every type that name the agent.
-- columns: answered handled
-- column: talk_seconds double: The sum of talk times that are known of this agent.
-- column: logged_in_seconds double: The time in all states.
-- column: occupancy double: Handling / (handling + available), from 0 to 1; absent where the agent did neither.
WITH zones AS (
  SELECT account, max(time_zone) AS time_zone
  FROM calls
  WHERE day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
  GROUP BY account
),
times AS (
  SELECT
    agent_time_quarters.account,
    at_timezone(CAST(CAST(quarter AS varchar) || ' UTC' AS timestamp with time zone), coalesce(time_zone, 'UTC')) AS local_time,
    agent_id, logged_in_seconds, handling_seconds, available_seconds
  FROM agent_time_quarters
  LEFT JOIN zones ON zones.account = agent_time_quarters.account
  WHERE ended_day >= CAST(current_date - INTERVAL '28' DAY AS varchar)
    AND quarter >= CAST(current_date - INTERVAL '28' DAY AS timestamp)
    AND quarter < CAST(current_date AS timestamp) + INTERVAL '1' DAY
),
together AS (
  SELECT
    account, local_day, agent_id, calls, answered, handled, talk_seconds,
    CAST(NULL AS double) AS logged_in_seconds, CAST(NULL AS double) AS handling_seconds,
    CAST(NULL AS double) AS available_seconds
  FROM agent_call_quarters
  WHERE agent_id IS NOT NULL
    AND day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
  UNION ALL
  SELECT
    account, substr(CAST(CAST(local_time AS timestamp) AS varchar), 1, 10) AS local_day, agent_id, 0, 0, 0,
    CAST(NULL AS double), logged_in_seconds, handling_seconds, available_seconds
  FROM times
)
SELECT
  account, local_day, agent_id,
  sum(calls) AS calls,
  sum(answered) AS answered,
  sum(handled) AS handled,
  sum(talk_seconds) AS talk_seconds,
  sum(logged_in_seconds) AS logged_in_seconds,
  sum(handling_seconds) / nullif(sum(handling_seconds) + sum(available_seconds), 0) AS occupancy
FROM together
GROUP BY account, local_day, agent_id
ORDER BY account, local_day, agent_id
