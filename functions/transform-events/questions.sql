-- question abandonment-by-campaign: In which campaigns do customers give up?
-- meaning: A campaign on a day of the account’s calendar. Short abandoned calls count on neither side of the share.
-- columns: account local_day campaign_name offered abandoned short_abandoned
-- column: abandonment double: The share that was given up, from 0 to 1; absent where no call tells.
SELECT
  account, local_day, campaign_name,
  sum(offered) AS offered,
  sum(abandoned) AS abandoned,
  sum(short_abandoned) AS short_abandoned,
  1e0 * sum(given_up) / nullif(sum(abandonment_calls), 0) AS abandonment
FROM call_quarters
WHERE day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY account, local_day, campaign_name
ORDER BY account, local_day, campaign_name

-- question agents-by-day: What did each agent do on each day?
-- meaning: Calls and time of an agent, by the day of the account’s calendar.
-- meaning: The zone of an account is the one of its calls in the period; without a call, days are in UTC.
-- columns: account local_day agent_id
-- column: calls bigint: Calls of every type that name the agent.
-- columns: answered handled
-- column: talk_seconds double: The sum of talk times that are known of this agent.
-- column: logged_in_seconds double: The time in all states.
-- column: occupancy double: Handling / (handling + available), from 0 to 1; absent where the agent did neither.
WITH zones AS (
  SELECT account, max(time_zone) AS time_zone
  FROM calls
  WHERE day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
  GROUP BY account
),
times AS (
  SELECT
    agent_time_quarters.account,
    at_timezone(CAST(CAST(quarter AS varchar) || ' UTC' AS timestamp with time zone), coalesce(time_zone, 'UTC')) AS local_time,
    agent_id, logged_in_seconds, handling_seconds, available_seconds
  FROM agent_time_quarters
  LEFT JOIN zones ON zones.account = agent_time_quarters.account
  WHERE ended_day >= CAST(current_date - INTERVAL '28' DAY AS varchar)
    AND quarter >= CAST(current_date - INTERVAL '28' DAY AS timestamp)
    AND quarter < CAST(current_date AS timestamp) + INTERVAL '1' DAY
),
together AS (
  SELECT
    account, local_day, agent_id, calls, answered, handled, talk_seconds,
    CAST(NULL AS double) AS logged_in_seconds, CAST(NULL AS double) AS handling_seconds,
    CAST(NULL AS double) AS available_seconds
  FROM agent_call_quarters
  WHERE agent_id IS NOT NULL
    AND day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
  UNION ALL
  SELECT
    account, substr(CAST(CAST(local_time AS timestamp) AS varchar), 1, 10) AS local_day, agent_id, 0, 0, 0,
    CAST(NULL AS double), logged_in_seconds, handling_seconds, available_seconds
  FROM times
)
SELECT
  account, local_day, agent_id,
  sum(calls) AS calls,
  sum(answered) AS answered,
  sum(handled) AS handled,
  sum(talk_seconds) AS talk_seconds,
  sum(logged_in_seconds) AS logged_in_seconds,
  sum(handling_seconds) / nullif(sum(handling_seconds) + sum(available_seconds), 0) AS occupancy
FROM together
GROUP BY account, local_day, agent_id
ORDER BY account, local_day, agent_id

-- question calls-by-day: How did each day go?
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

-- question calls-found-by-the-report: How many callbacks did not come?
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

-- question calls-recorded-late: How late do calls arrive, and how often are they revised?
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

-- question dispositions-by-campaign: How do the calls of each campaign end?
-- meaning: Each disposition that agents set, by campaign. A call with two of them counts for both.
-- columns: account campaign_name
-- column: disposition string: What the agent set; absent for answered calls without one.
-- column: calls bigint: How many answered calls have it.
-- column: share double: The share of all of the campaign, from 0 to 1.
SELECT
  account, campaign_name, disposition,
  count(*) AS calls,
  1e0 * count(*) / sum(count(*)) OVER (PARTITION BY account, campaign_name) AS share
FROM calls
CROSS JOIN UNNEST(coalesce(dispositions, ARRAY[CAST(NULL AS varchar)])) AS each_one (disposition)
WHERE status = 'answered'
  AND day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY account, campaign_name, disposition
ORDER BY account, campaign_name, calls DESC, disposition

-- question handle-time-by-skill-and-agent: How long does a call take, by skill and agent?
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

-- question missed-calls: Which calls were missed, and who gave up?
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

-- question service-level-by-hour-and-skill: What is the service level of each skill, by hour?
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

-- question staffing-by-hour: Were enough agents there when calls came?
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

-- question time-in-states-by-agent: Where does the agents’ time go?
-- meaning: The time of each agent in each state. Callfeed knows no rota: compare this with yours to see the adherence.
-- columns: account agent_id state
-- column: intervals bigint: How often the agent was in the state.
-- column: seconds double: How long altogether.
-- column: share double: The share of the agent’s time in all states, from 0 to 1.
-- column: first_at timestamp: When the first of them began, in UTC.
-- column: last_at timestamp: When the last of them ended, in UTC.
SELECT
  account, agent_id, state,
  count(*) AS intervals,
  sum(seconds) AS seconds,
  sum(seconds) / nullif(sum(sum(seconds)) OVER (PARTITION BY account, agent_id), 0) AS share,
  min(started_at) AS first_at,
  max(ended_at) AS last_at
FROM agent_intervals
WHERE ended_day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY account, agent_id, state
ORDER BY account, agent_id, seconds DESC, state

-- question time-to-answer-by-skill: How long do customers of each skill wait?
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

-- question transfers-between-skills: Which skills pass calls on to which?
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
