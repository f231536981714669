-- title: Where does the agents’ time go?
-- meaning: The time of each agent in each state. Callfeed knows no rota: compare this with yours to see the adherence.
-- columns: account agent_id state
-- column: intervals bigint: How often the agent was in the state.
-- column: seconds double: How long altogether.
-- column: share double: The share of the agent’s time in all states, from 0 to 1.
-- column: first_at timestamp: When the first of them began, in UTC.
-- column: last_at timestamp: When the last of them ended, in UTC.
SELECT
  account, agent_id, state,
  count(*) AS intervals,
  sum(seconds) AS seconds,
  sum(seconds) / nullif(sum(sum(seconds)) OVER (PARTITION BY account, agent_id), 0) AS share,
  min(started_at) AS first_at,
  max(ended_at) AS last_at
FROM agent_intervals
WHERE ended_day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY account, agent_id, state
ORDER BY account, agent_id, seconds DESC, state
