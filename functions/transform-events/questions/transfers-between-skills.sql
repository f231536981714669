-- title: Which skills pass calls on to which?
-- meaning: Calls that a skill transfer continues, with the call that they continue. Each is a call of its own.
-- columns: account
-- column: from_skill string: The skill that passed the call on; absent where the first call is not known.
-- column: to_skill string: The skill that got it.
-- column: calls bigint: How many calls were passed on.
-- column: answered bigint: How many of these were answered there.
SELECT
  later.account,
  earlier.skill_name AS from_skill,
  later.skill_name AS to_skill,
  count(*) AS calls,
  sum(CASE WHEN later.status = 'answered' THEN 1 ELSE 0 END) AS answered
FROM calls AS later
LEFT JOIN calls AS earlier
  ON earlier.account = later.account AND earlier.call_id = later.linked_call_id
  AND earlier.day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
WHERE later.linked_call_id IS NOT NULL
  AND later.day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY later.account, earlier.skill_name, later.skill_name
ORDER BY account, calls DESC, from_skill, to_skill
