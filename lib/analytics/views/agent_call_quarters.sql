-- title: Quarters of agents’ calls
-- meaning: The figures of calls for each quarter of an hour and agent. A call counts once for each agent that it names.
-- meaning: Durations that several agents share count for none of them.
-- column: day string: The day in UTC, by which to choose a period.
-- column: account string: The telephony account.
-- column: quarter timestamp: When the quarter of an hour begins, in UTC.
-- column: local_day string: The day on the account’s calendar.
-- column: local_quarter timestamp: What the account’s clocks show at `quarter`.
-- column: agent_id string: The agent; absent for calls without one.
-- column: calls bigint: Calls of every type that name the agent.
-- column: offered bigint: Inbound calls, and calls without a type.
-- column: answered bigint: Offered calls that were answered by this agent, where legs show it.
-- column: missed bigint: Offered calls that were not answered. Abandoned calls are among them.
-- column: abandoned bigint: Missed calls in which the customer hung up.
-- column: short_abandoned bigint: Abandoned calls that ended within `short_seconds`.
-- column: undecided bigint: Offered calls whose status is absent or unknown.
-- column: in_time bigint: Calls answered within `within_seconds`: the service level is in_time / service_level_calls. It is not known where calls were answered and `time_to_answer_calls` is 0.
-- column: service_level_calls bigint: Offered calls, except short abandoned ones, of which it is known whether they were answered in time.
-- column: given_up bigint: Abandoned calls that are not short: the abandonment is given_up / abandonment_calls.
-- column: abandonment_calls bigint: Offered calls, except short abandoned ones, of which it is known whether the customer gave up.
-- column: handled bigint: Answered calls of every type but ivr.
-- column: time_to_answer_calls bigint: Answered calls whose time to answer is known.
-- column: time_to_answer_seconds double: The sum of their times to answer.
-- column: time_to_answer_longest_seconds double: The longest of them.
-- column: talk_calls bigint: Handled calls whose talk time is known.
-- column: talk_seconds double: The sum of their talk times.
-- column: hold_calls bigint: Handled calls whose hold time is known.
-- column: hold_seconds double: The sum of their hold times.
-- column: wrap_up_calls bigint: Handled calls whose wrap-up time is known.
-- column: wrap_up_seconds double: The sum of their wrap-up times.
-- column: handle_calls bigint: Handled calls of which all three are known, or what the service sends as their sum.
-- column: handle_seconds double: The handle time of those.
SELECT
  day, account, quarter, local_day, local_quarter, agent_id,
  count(*) AS calls,
  sum(offered) AS offered,
  sum(answered) AS answered,
  sum(missed) AS missed,
  sum(abandoned) AS abandoned,
  sum(short_abandoned) AS short_abandoned,
  sum(undecided) AS undecided,
  sum(in_time) AS in_time,
  sum(service_level_calls) AS service_level_calls,
  sum(given_up) AS given_up,
  sum(abandonment_calls) AS abandonment_calls,
  sum(handled) AS handled,
  count(time_to_answer_seconds) AS time_to_answer_calls,
  sum(time_to_answer_seconds) AS time_to_answer_seconds,
  max(time_to_answer_seconds) AS time_to_answer_longest_seconds,
  count(talk_seconds) AS talk_calls,
  sum(talk_seconds) AS talk_seconds,
  count(hold_seconds) AS hold_calls,
  sum(hold_seconds) AS hold_seconds,
  count(wrap_up_seconds) AS wrap_up_calls,
  sum(wrap_up_seconds) AS wrap_up_seconds,
  count(handle_seconds) AS handle_calls,
  sum(handle_seconds) AS handle_seconds
FROM counted_calls
WHERE place > 0 OR agents = 0
GROUP BY day, account, quarter, local_day, local_quarter, agent_id
