-- title: How late do calls arrive, and how often are they revised?
-- meaning: From the end of a call to its first revision in the table, by day: what a report of today does not know yet.
-- meaning: A call whose first revision has no row is left out, as after a replay, which brings the latest revision only.
-- columns: account local_day
-- column: calls bigint: Calls whose end and first revision are known.
-- column: within_five_minutes bigint: Of these, those that were recorded within five minutes of the end.
-- column: within_an_hour bigint: After that, within an hour.
-- column: later bigint: After that.
-- column: revisions double: How many revisions a call has, on average.
SELECT
  account, local_day,
  count(*) AS calls,
  sum(CASE WHEN seconds <= 300 THEN 1 ELSE 0 END) AS within_five_minutes,
  sum(CASE WHEN seconds > 300 AND seconds <= 3600 THEN 1 ELSE 0 END) AS within_an_hour,
  sum(CASE WHEN seconds > 3600 THEN 1 ELSE 0 END) AS later,
  avg(1e0 * revisions) AS revisions
FROM (
  SELECT
    account, call_id, max_by(local_day, revision) AS local_day, max(revision) AS revisions,
    date_diff(
      'millisecond', max_by(ended_at, revision), min(CASE WHEN revision = 1 THEN recorded_at END)
    ) / 1e3 AS seconds
  FROM call_revisions
  WHERE day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
  GROUP BY account, call_id
) AS revised
WHERE seconds IS NOT NULL
GROUP BY account, local_day
ORDER BY account, local_day
