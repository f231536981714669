-- title: How did each day go?
-- meaning: The figures of a day of the account’s calendar, as `callfeed day --from --to` has them for up to 50,000 calls.
-- columns: account local_day calls offered answered missed abandoned short_abandoned
-- column: service_level double: The share of the offered calls that was answered in time, from 0 to 1; absent where no call tells.
-- column: abandonment double: The share that was given up, from 0 to 1; absent where no call tells.
-- column: answer_seconds double: The average speed of answer.
-- column: handle_seconds double: The mean of talk, hold and wrap-up together, or of what the service sends as their sum.
SELECT
  account, local_day,
  count(*) AS calls,
  sum(offered) AS offered,
  sum(answered) AS answered,
  sum(missed) AS missed,
  sum(abandoned) AS abandoned,
  sum(short_abandoned) AS short_abandoned,
  CASE
    WHEN sum(answered) > 0 AND count(time_to_answer_seconds) = 0 THEN NULL
    ELSE 1e0 * sum(in_time) / nullif(sum(service_level_calls), 0)
  END AS service_level,
  1e0 * sum(given_up) / nullif(sum(abandonment_calls), 0) AS abandonment,
  avg(time_to_answer_seconds) AS answer_seconds,
  avg(handle_seconds) AS handle_seconds
FROM counted_calls
WHERE place = 0 AND day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY account, local_day
ORDER BY account, local_day
