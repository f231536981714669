-- title: How long do customers of each skill wait?
-- meaning: The answered calls of a skill by how long that took. The service does not say whether its time counts the queue.
-- columns: account skill_name
-- column: answered bigint: Offered calls that were answered and whose time to answer is known.
-- column: within_ten bigint: Of these, within 10 seconds.
-- column: within_twenty bigint: After that, within 20 seconds.
-- column: within_sixty bigint: After that, within a minute.
-- column: later bigint: After that.
-- column: average_seconds double: The average speed of answer.
-- column: longest_seconds double: The longest wait that was answered.
SELECT
  account, skill_name,
  count(*) AS answered,
  sum(CASE WHEN time_to_answer_seconds <= 10 THEN 1 ELSE 0 END) AS within_ten,
  sum(CASE WHEN time_to_answer_seconds > 10 AND time_to_answer_seconds <= 20 THEN 1 ELSE 0 END) AS within_twenty,
  sum(CASE WHEN time_to_answer_seconds > 20 AND time_to_answer_seconds <= 60 THEN 1 ELSE 0 END) AS within_sixty,
  sum(CASE WHEN time_to_answer_seconds > 60 THEN 1 ELSE 0 END) AS later,
  avg(time_to_answer_seconds) AS average_seconds,
  max(time_to_answer_seconds) AS longest_seconds
FROM counted_calls
WHERE place = 0 AND time_to_answer_seconds IS NOT NULL
  AND day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY account, skill_name
ORDER BY account, skill_name
