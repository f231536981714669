-- title: What is the service level of each skill, by hour?
-- meaning: A skill and an hour of the day, over all days of the period. The view `settings` says what in time means.
-- columns: account skill_name
-- column: local_hour bigint: The hour of the account’s day, from 0 to 23.
-- columns: offered answered short_abandoned
-- column: service_level double: The share of the others that was answered in time, from 0 to 1; absent where no call tells.
SELECT
  account, skill_name,
  hour(local_quarter) AS local_hour,
  sum(offered) AS offered,
  sum(answered) AS answered,
  sum(short_abandoned) AS short_abandoned,
  CASE
    WHEN sum(answered) > 0 AND sum(time_to_answer_calls) = 0 THEN NULL
    ELSE 1e0 * sum(in_time) / nullif(sum(service_level_calls), 0)
  END AS service_level
FROM call_quarters
WHERE day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY account, skill_name, hour(local_quarter)
ORDER BY account, skill_name, local_hour
