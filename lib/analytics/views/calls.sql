-- title: Calls
-- meaning: Each call once, as of its highest revision. Repeats and replays of an event count once.
-- meaning: A revision that moved the call to the day before or after replaces what that day had of it.
-- columns: call_revisions
SELECT
  latest.day, latest.event_id, latest.account, latest.call_id, latest.revision, latest.changed_fields,
  latest.recorded_at, latest.replayed_at, latest.found_by, latest.listed_at, latest.quarter, latest.time_zone,
  latest.local_day, latest.local_quarter, latest.started_at, latest.ended_at, latest.status, latest.type,
  latest.hangup_by, latest.skill_name, latest.campaign_name, latest.campaign_status, latest.location,
  latest.elapsed_seconds, latest.time_to_answer_seconds, latest.talk_seconds, latest.hold_seconds,
  latest.wrap_up_seconds, latest.handle_seconds, latest.conference_seconds, latest.agent_ids, latest.agent_answered,
  latest.agent_time_to_answer_seconds, latest.agent_talk_seconds, latest.agent_hold_seconds,
  latest.agent_wrap_up_seconds, latest.agent_handle_seconds, latest.customer_statuses, latest.dial_statuses, latest.agent_statuses,
  latest.transfer_types, latest.dispositions, latest.linked_call_id
FROM (
  SELECT
    *,
    row_number() OVER (PARTITION BY day, account, call_id ORDER BY revision DESC, replayed_at DESC NULLS LAST) AS place
  FROM call_revisions
) AS latest
LEFT JOIN (
  SELECT day, account, call_id, max(revision) AS revision
  FROM (
    SELECT substr(CAST(CAST(day AS date) + INTERVAL '1' DAY AS varchar), 1, 10) AS day, account, call_id, revision
    FROM call_revisions
    WHERE revision > 1
    UNION ALL
    SELECT substr(CAST(CAST(day AS date) - INTERVAL '1' DAY AS varchar), 1, 10) AS day, account, call_id, revision
    FROM call_revisions
    WHERE revision > 1
  ) AS moved
  GROUP BY day, account, call_id
) AS nearby
  ON nearby.day = latest.day AND nearby.account = latest.account AND nearby.call_id = latest.call_id
WHERE latest.place = 1 AND (nearby.revision IS NULL OR nearby.revision < latest.revision)
