-- title: How long does a call take, by skill and agent?
-- meaning: Talk, hold and wrap-up of handled calls, outgoing ones too. Calls whose times several agents share are left out.
-- columns: account skill_name agent_id handled
-- column: talk_seconds double: The mean talk time.
-- column: hold_seconds double: The mean hold time.
-- column: wrap_up_seconds double: The mean wrap-up time.
-- column: handle_seconds double: The mean of all three together, or of what the service sends as their sum.
SELECT
  account, skill_name, agent_id,
  sum(handled) AS handled,
  avg(talk_seconds) AS talk_seconds,
  avg(hold_seconds) AS hold_seconds,
  avg(wrap_up_seconds) AS wrap_up_seconds,
  avg(handle_seconds) AS handle_seconds
FROM counted_calls
WHERE place > 0
  AND day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY account, skill_name, agent_id
HAVING sum(handled) > 0
ORDER BY account, skill_name, handled DESC, agent_id
