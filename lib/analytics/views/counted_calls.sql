-- title: Counted calls
-- meaning: How each call counts, by the rules of docs/figures.md. Place 0 is the call as a whole; the others are its agents.
-- meaning: A number is 1 where the call counts. Durations are absent where they count in no figure.
-- column: day string: The day in UTC, by which to choose a period.
-- column: account string: The telephony account.
-- column: call_id string: The call.
-- column: place int: 0 for the whole call, else which of its agents it is.
-- column: agents int: How many agents the call names.
-- column: agent_id string: The agent; absent for the whole call.
-- column: quarter timestamp: When the quarter of an hour begins, in UTC.
-- column: local_day string: The day on the account’s calendar.
-- column: local_quarter timestamp: What the account’s clocks show at `quarter`.
-- column: skill_name string: The skill.
-- column: campaign_name string: The campaign.
-- column: offered int: An inbound call, or a call without a type.
-- column: answered int: An offered call that was answered, by this agent.
-- column: missed int: An offered call that was not answered.
-- column: abandoned int: A missed call in which the customer hung up.
-- column: short_abandoned int: An abandoned call that ended within `short_seconds`.
-- column: undecided int: An offered call whose status is absent or unknown.
-- column: in_time int: An answered call that was answered within `within_seconds`.
-- column: service_level_calls int: An offered call, not short abandoned, of which it is known whether it was answered in time.
-- column: given_up int: An abandoned call that is not short.
-- column: abandonment_calls int: An offered call, not short abandoned, of which it is known whether the customer gave up.
-- column: handled int: An answered call of any type but ivr.
-- column: time_to_answer_seconds double: The time to answer of an answered call.
-- column: talk_seconds double: The talk time of a handled call.
-- column: hold_seconds double: The hold time of a handled call.
-- column: wrap_up_seconds double: The wrap-up time of a handled call.
-- column: handle_seconds double: Talk, hold and wrap-up of a handled call that has all three; of another what the service sends.
WITH parts AS (
  SELECT
    day, account, call_id, place, coalesce(cardinality(agent_ids), 0) AS agents,
    CASE WHEN place > 0 THEN agent_ids[place] END AS agent_id,
    quarter, local_day, local_quarter, skill_name, campaign_name, type,
    coalesce(type, 'inbound') = 'inbound' AS is_offered,
    CASE WHEN place > 0 THEN agent_answered[place] ELSE coalesce(status, '') = 'answered' END AS is_answered,
    coalesce(status, 'unknown') AS status,
    coalesce(hangup_by, 'unknown') AS hangup_by,
    elapsed_seconds,
    CASE WHEN place > 0 THEN agent_time_to_answer_seconds[place] ELSE time_to_answer_seconds END AS to_answer,
    CASE WHEN place > 0 THEN agent_talk_seconds[place] ELSE talk_seconds END AS talk,
    CASE WHEN place > 0 THEN agent_hold_seconds[place] ELSE hold_seconds END AS hold,
    CASE WHEN place > 0 THEN agent_wrap_up_seconds[place] ELSE wrap_up_seconds END AS wrap_up,
    CASE WHEN place > 0 THEN agent_handle_seconds[place] ELSE handle_seconds END AS handle
  FROM calls
  CROSS JOIN UNNEST(sequence(0, coalesce(cardinality(agent_ids), 0))) AS part (place)
),
judged AS (
  SELECT
    *,
    is_offered AND status = 'not-answered' AS is_missed,
    is_offered AND status = 'not-answered' AND hangup_by = 'user' AS is_abandoned,
    is_offered AND status = 'not-answered' AND hangup_by = 'user'
      AND coalesce(elapsed_seconds, short_seconds) < short_seconds AS is_short,
    is_answered AND coalesce(type, '') <> 'ivr' AS is_handled
  FROM parts
  CROSS JOIN settings
)
SELECT
  day, account, call_id, CAST(place AS integer) AS place, CAST(agents AS integer) AS agents, agent_id,
  quarter, local_day, local_quarter, skill_name, campaign_name,
  CASE WHEN is_offered THEN 1 ELSE 0 END AS offered,
  CASE WHEN is_offered AND is_answered THEN 1 ELSE 0 END AS answered,
  CASE WHEN is_missed THEN 1 ELSE 0 END AS missed,
  CASE WHEN is_abandoned THEN 1 ELSE 0 END AS abandoned,
  CASE WHEN is_short THEN 1 ELSE 0 END AS short_abandoned,
  CASE WHEN is_offered AND status = 'unknown' THEN 1 ELSE 0 END AS undecided,
  CASE WHEN is_offered AND is_answered AND to_answer <= within_seconds THEN 1 ELSE 0 END AS in_time,
  CASE
    WHEN NOT is_offered OR is_short THEN 0
    WHEN is_answered THEN CASE WHEN to_answer IS NULL THEN 0 ELSE 1 END
    WHEN is_missed THEN 1
    ELSE 0
  END AS service_level_calls,
  CASE WHEN is_abandoned AND NOT is_short THEN 1 ELSE 0 END AS given_up,
  CASE
    WHEN NOT is_offered OR is_short OR status = 'unknown' THEN 0
    WHEN is_missed AND hangup_by = 'unknown' THEN 0
    ELSE 1
  END AS abandonment_calls,
  CASE WHEN is_handled THEN 1 ELSE 0 END AS handled,
  CASE WHEN is_offered AND is_answered THEN to_answer END AS time_to_answer_seconds,
  CASE WHEN is_handled THEN talk END AS talk_seconds,
  CASE WHEN is_handled THEN hold END AS hold_seconds,
  CASE WHEN is_handled THEN wrap_up END AS wrap_up_seconds,
  CASE WHEN is_handled THEN coalesce(talk + hold + wrap_up, handle) END AS handle_seconds
FROM judged
