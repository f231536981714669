-- title: How many callbacks did not come?
-- meaning: Calls that only the service’s call report knows, by day. It needs the setting `reconciliation`.
-- columns: account local_day
-- column: calls bigint: All calls of the day.
-- column: found_by_report bigint: Calls for which no callback came so far.
-- column: share double: Their share, from 0 to 1.
SELECT
  account, local_day,
  count(*) AS calls,
  sum(CASE WHEN found_by = 'report' THEN 1 ELSE 0 END) AS found_by_report,
  1e0 * sum(CASE WHEN found_by = 'report' THEN 1 ELSE 0 END) / count(*) AS share
FROM calls
WHERE day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY account, local_day
ORDER BY account, local_day
