import * as z from 'zod/mini';
import { isImported, placeOf } from '../../lib/calls/call-keys.ts';
import { CallLeg } from '../../lib/calls/schema.ts';
import { type AgentPart, agentPartFields, agentsOfCall, partOfAgent } from '../../lib/contract/agent-part.ts';
import { CallSummary, CallSummaryRevised } from '../../lib/contract/call-events.ts';
import { beginOfPeriod, isTimeZone, localDate, localTime } from '../../lib/core/time.ts';
import { type Column, copiesOf } from './column.ts';

/** The fields of an event about a call from which its row comes. No field is personal, in a leg neither. */
export const CallDetail = z.object({
  ...z.pick(CallSummaryRevised, {
    id: true,
    account: true,
    occurredAt: true,
    recordedAt: true,
    replayedAt: true,
    callId: true,
    source: true,
    firstReceivedAt: true,
    revision: true,
  }).shape,
  changedFields: z.optional(CallSummaryRevised.shape.changedFields),
  call: z.object({
    ...z.pick(CallSummary, {
      ...agentPartFields,
      type: true,
      hangupBy: true,
      startedAt: true,
      endedAt: true,
      approximateAt: true,
      elapsedSeconds: true,
      conferenceSeconds: true,
      skillName: true,
      campaignName: true,
      campaignStatus: true,
      location: true,
      customerStatuses: true,
      dialStatuses: true,
      agentStatuses: true,
      transferTypes: true,
      dispositions: true,
      linkedCallId: true,
    }).shape,
    // The columns of local times need a zone that the runtime knows.
    timeZone: CallSummary.shape.timeZone.check(z.refine(isTimeZone)),
    legs: z.optional(z.readonly(z.array(z.object(z.pick(CallLeg, agentPartFields).shape)))),
  }),
});
export type CallDetail = z.infer<typeof CallDetail>;

export const listedAt = ({ occurredAt, firstReceivedAt, call }: CallDetail): string => {
  const times = [call.startedAt, call.endedAt, call.approximateAt];
  return firstReceivedAt === undefined
    ? (times.find((at) => at !== undefined) ?? occurredAt)
    : placeOf(times, firstReceivedAt);
};

/**
 * The instant by whose day a call is stored. Calls of many years that are imported at once would take the few days that a
 * delivery stream writes side by side from the calls of other accounts.
 */
export const storedAt = (detail: CallDetail): string => {
  const { firstReceivedAt } = detail;
  const at = listedAt(detail);
  return firstReceivedAt !== undefined && isImported(at, firstReceivedAt) ? firstReceivedAt : at;
};

const listed = ['call.startedAt', 'call.endedAt', 'call.approximateAt', 'firstReceivedAt', 'occurredAt'] as const;
const listedLocally = [...listed, 'call.timeZone'] as const;

const quarterOf = (detail: CallDetail): string => beginOfPeriod(Date.parse(listedAt(detail)), 15, detail.call.timeZone);

const typed = { isTyped: true } as const;
const copy = copiesOf(CallDetail);

/** A list with one entry for each of `agent_ids`: what of the call belongs to that agent. */
const ofAgents = <Type extends 'array<boolean>' | 'array<double>'>(
  type: Type,
  field: keyof AgentPart,
  meaning: string,
) => ({
  type,
  meaning,
  from: ['call.agentIds', 'call.legs', ...(field === 'isAnswered' ? ['call.status'] : [`call.${field}`])],
  read: ({ call }: CallDetail) =>
    call.agentIds && agentsOfCall(call).map((agentId) => partOfAgent(call, agentId)[field] ?? null),
});

const ofColumn =
  'For each of `agent_ids` its part of the call’s column of this name; null where several agents share it.';
const secondsOfAgents = (field: keyof AgentPart) => ofAgents('array<double>', field, ofColumn);

/** Columns of the table `call_revisions`, in which each revision of a call is a row. */
export const callRevisionColumns = {
  event_id: copy('string', 'id'),
  account: copy('string', 'account'),
  call_id: copy('string', 'callId'),
  revision: copy('int', 'revision', {
    meaning: 'The revision of the call, counted from 1. The highest one is the call.',
  }),
  changed_fields: copy('array<string>', 'changedFields', {
    meaning: 'The contract’s names of the fields that this revision changed; absent in the first.',
  }),
  recorded_at: copy('timestamp', 'recordedAt', { meaning: 'When the revision was written to the table.' }),
  replayed_at: copy('timestamp', 'replayedAt', {
    meaning: 'When an operator replayed the event. Of the rows of a revision, the latest replay counts.',
  }),
  found_by: {
    type: 'string',
    meaning: '`report` while no callback came and the call was found in the service’s call report; else `callback`.',
    from: ['source'],
    read: ({ source }) => source ?? 'callback',
  },
  listed_at: {
    type: 'timestamp',
    meaning:
      'Where the call counts, as in the lists: at its start, else its end, else near it, else its first receipt.',
    from: listed,
    read: listedAt,
  },
  quarter: {
    type: 'timestamp',
    meaning: 'When the quarter of an hour begins in which the call counts.',
    from: listedLocally,
    read: quarterOf,
  },
  time_zone: copy('string', 'call.timeZone', { meaning: 'The IANA zone of the account.' }),
  local_day: {
    type: 'string',
    meaning: 'The day on the account’s calendar on which the call counts, such as 2026-11-20.',
    from: listedLocally,
    read: (detail) => localDate(listedAt(detail), detail.call.timeZone),
  },
  local_quarter: {
    type: 'timestamp',
    meaning:
      'What the account’s clocks show at `quarter`. An hour that occurs twice as clocks go back has the same time twice.',
    from: listedLocally,
    read: (detail) => localTime(quarterOf(detail), detail.call.timeZone),
  },
  started_at: copy('timestamp', 'call.startedAt'),
  ended_at: copy('timestamp', 'call.endedAt'),
  status: copy('string', 'call.status'),
  type: copy('string', 'call.type'),
  hangup_by: copy('string', 'call.hangupBy'),
  skill_name: copy('string', 'call.skillName', typed),
  campaign_name: copy('string', 'call.campaignName', typed),
  campaign_status: copy('string', 'call.campaignStatus'),
  location: copy('string', 'call.location', typed),
  elapsed_seconds: copy('double', 'call.elapsedSeconds'),
  time_to_answer_seconds: copy('double', 'call.timeToAnswerSeconds'),
  talk_seconds: copy('double', 'call.durationSeconds'),
  hold_seconds: copy('double', 'call.holdSeconds'),
  wrap_up_seconds: copy('double', 'call.wrapUpSeconds'),
  handle_seconds: copy('double', 'call.handleSeconds'),
  conference_seconds: copy('double', 'call.conferenceSeconds'),
  agent_ids: {
    type: 'array<string>',
    meaning: 'The login ids of every agent of the call, each once.',
    from: ['call.agentIds'],
    read: ({ call }) => call.agentIds && agentsOfCall(call),
  },
  agent_answered: ofAgents(
    'array<boolean>',
    'isAnswered',
    'For each of `agent_ids`: whether that agent answered, where legs show it.',
  ),
  agent_time_to_answer_seconds: secondsOfAgents('timeToAnswerSeconds'),
  agent_talk_seconds: secondsOfAgents('durationSeconds'),
  agent_hold_seconds: secondsOfAgents('holdSeconds'),
  agent_wrap_up_seconds: secondsOfAgents('wrapUpSeconds'),
  agent_handle_seconds: secondsOfAgents('handleSeconds'),
  customer_statuses: copy('array<string>', 'call.customerStatuses'),
  dial_statuses: copy('array<string>', 'call.dialStatuses'),
  agent_statuses: copy('array<string>', 'call.agentStatuses'),
  transfer_types: copy('array<string>', 'call.transferTypes'),
  dispositions: copy('array<string>', 'call.dispositions', typed),
  linked_call_id: copy('string', 'call.linkedCallId'),
} as const satisfies Record<string, Column<CallDetail>>;
