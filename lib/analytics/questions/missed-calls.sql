-- title: Which calls were missed, and who gave up?
-- meaning: The list to call back from. The numbers are in the table of calls, by the id of the call: here no number is stored.
-- column: account string: The telephony account.
-- column: call_id string: The call, for `callfeed call` and the table of calls.
-- column: listed_at timestamp: When it started, in UTC.
-- column: local_day string: The day on the account’s calendar.
-- column: skill_name string: The skill.
-- column: campaign_name string: The campaign.
-- column: hangup_by string: Who ended it: `user` means that the customer gave up.
-- column: elapsed_seconds double: How long it lasted, the time in a menu included.
-- column: agents bigint: How many agents it rang at.
SELECT
  account, call_id, listed_at, local_day, skill_name, campaign_name, hangup_by, elapsed_seconds,
  coalesce(cardinality(agent_ids), 0) AS agents
FROM calls
WHERE status = 'not-answered' AND coalesce(type, 'inbound') = 'inbound'
  AND day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
ORDER BY listed_at DESC, call_id
