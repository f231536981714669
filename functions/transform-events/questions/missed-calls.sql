-- title: Which calls were missed, and who gave up?
-- meaning: The list to call back from.
-- columns: account call_id listed_at local_day skill_name campaign_name hangup_by elapsed_seconds
-- column: agents bigint: How many agents it rang at.
SELECT
  account, call_id, listed_at, local_day, skill_name, campaign_name, hangup_by, elapsed_seconds,
  coalesce(cardinality(agent_ids), 0) AS agents
FROM calls
WHERE status = 'not-answered' AND coalesce(type, 'inbound') = 'inbound'
  AND day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
ORDER BY listed_at DESC, call_id
