-- title: Intervals of agents
-- meaning: Each time of an agent in a state once, as soon as it has ended. Repeats of an event count once.
-- column: ended_day string: The day in UTC on which it ended. A period needs all from its first day on, as intervals may be long.
-- column: account string: The telephony account.
-- column: agent_id string: The agent, by login id.
-- column: logged_in_since timestamp: When the agent logged in.
-- column: state string: What the agent was doing.
-- column: started_at timestamp: When the agent entered the state.
-- column: ended_at timestamp: When the agent left it.
-- column: seconds double: How long it lasted.
-- column: next_state string: What followed; `logged-out` after the log-out.
-- column: skills array<string>: The agent’s skills when it ended.
SELECT
  day AS ended_day, account, agent_id, logged_in_since,
  previous_state AS state, previous_since AS started_at, changed_at AS ended_at, previous_seconds AS seconds,
  state AS next_state, skills
FROM (
  SELECT *, row_number() OVER (PARTITION BY day, event_id ORDER BY recorded_at) AS place
  FROM agent_changes
  WHERE previous_since IS NOT NULL
) AS changes
WHERE place = 1
