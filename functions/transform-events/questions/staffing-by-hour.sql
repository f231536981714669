-- title: Were enough agents there when calls came?
-- meaning: Calls and agents side by side, for each hour.
-- columns: account
-- column: hour_at timestamp: When the hour begins, in UTC.
-- columns: offered missed
-- column: agents double: How many agents were logged in, on average.
-- column: occupancy double: Handling / (handling + available), from 0 to 1; absent where nobody did either.
WITH together AS (
  SELECT
    account, quarter, offered, missed, CAST(NULL AS double) AS logged_in_seconds,
    CAST(NULL AS double) AS handling_seconds, CAST(NULL AS double) AS available_seconds
  FROM call_quarters
  WHERE day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
  UNION ALL
  SELECT account, quarter, 0, 0, logged_in_seconds, handling_seconds, available_seconds
  FROM agent_time_quarters
  WHERE ended_day >= CAST(current_date - INTERVAL '28' DAY AS varchar)
    AND quarter >= CAST(current_date - INTERVAL '28' DAY AS timestamp)
    AND quarter < CAST(current_date AS timestamp) + INTERVAL '1' DAY
)
SELECT
  account,
  date_trunc('hour', quarter) AS hour_at,
  sum(offered) AS offered,
  sum(missed) AS missed,
  sum(logged_in_seconds) / 3600 AS agents,
  sum(handling_seconds) / nullif(sum(handling_seconds) + sum(available_seconds), 0) AS occupancy
FROM together
GROUP BY account, date_trunc('hour', quarter)
ORDER BY account, hour_at
