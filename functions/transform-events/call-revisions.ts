import * as z from 'zod/mini';
import { isImported, placeOf } from '../../lib/calls/call-keys.ts';
import { CallLeg } from '../../lib/calls/schema.ts';
import {
  type AgentPart,
  agentPartFields,
  agentsOfCall,
  callDurations,
  partOfAgent,
} from '../../lib/contract/call-counts.ts';
import { CallSummary, CallSummaryRevised } from '../../lib/contract/call-events.ts';
import { beginOfPeriod, isTimeZone, localDate, localTime } from '../../lib/core/time.ts';
import { columnName, copiesOf, type HistoryColumn, type HistoryColumns } from './column.ts';

const copied = {
  beforeAgents: {
    startedAt: true,
    endedAt: true,
    status: true,
    type: true,
    hangupBy: true,
    skillName: true,
    campaignName: true,
    campaignStatus: true,
    location: true,
    elapsedSeconds: true,
    timeToAnswerSeconds: true,
    durationSeconds: true,
    holdSeconds: true,
    wrapUpSeconds: true,
    handleSeconds: true,
    conferenceSeconds: true,
  },
  afterAgents: {
    customerStatuses: true,
    dialStatuses: true,
    agentStatuses: true,
    transferTypes: true,
    dispositions: true,
    linkedCallId: true,
  },
} as const;

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
    ...z.pick(CallSummary, { ...agentPartFields, ...copied.beforeAgents, ...copied.afterAgents, approximateAt: true })
      .shape,
    // The columns of local times need a zone that the runtime knows.
    timeZone: CallSummary.shape.timeZone.check(z.refine(isTimeZone)),
    legs: z.optional(z.readonly(z.array(z.object(z.pick(CallLeg, agentPartFields).shape)))),
  }),
});
type CallDetail = z.infer<typeof CallDetail>;

const listedAt = ({ occurredAt, firstReceivedAt, call }: CallDetail): string => {
  const times = [call.startedAt, call.endedAt, call.approximateAt];
  return firstReceivedAt === undefined
    ? (times.find((at) => at !== undefined) ?? occurredAt)
    : placeOf(times, firstReceivedAt);
};

/** The instant of its day. An import of many years would exhaust the few days that a stream writes side by side. */
export const storedAt = (detail: CallDetail): string => {
  const { firstReceivedAt } = detail;
  const at = listedAt(detail);
  return firstReceivedAt !== undefined && isImported(at, firstReceivedAt) ? firstReceivedAt : at;
};

const quarterOf = (detail: CallDetail): string => beginOfPeriod(Date.parse(listedAt(detail)), 15, detail.call.timeZone);

const listed = ['call.startedAt', 'call.endedAt', 'call.approximateAt', 'firstReceivedAt', 'occurredAt'] as const;
const listedLocally = [...listed, 'call.timeZone'] as const;

const ofCall = copiesOf(CallDetail);

const copies = (fields: Readonly<Record<string, true>>) =>
  Object.fromEntries(Object.keys(fields).map((field) => [columnName(field), ofCall(`call.${field}`)]));

const ofAgents = (
  type: 'array<boolean>' | 'array<double>',
  field: keyof AgentPart,
  meaning = 'For each of `agent_ids` its part of the call’s column of this name; null where several agents share it.',
): HistoryColumn<CallDetail> => ({
  type,
  meaning,
  from: ['call.agentIds', 'call.legs', field === 'isAnswered' ? 'call.status' : `call.${field}`],
  read: ({ call }) => call.agentIds && agentsOfCall(call).map((agentId) => partOfAgent(call, agentId)[field] ?? null),
});

export const callRevisionColumns: HistoryColumns<CallDetail> = {
  event_id: ofCall('id'),
  account: ofCall('account'),
  call_id: ofCall('callId'),
  revision: ofCall('revision', 'The revision of the call, counted from 1. The highest one is the call.'),
  changed_fields: ofCall(
    'changedFields',
    'The contract’s names of the fields that this revision changed; absent in the first.',
  ),
  recorded_at: ofCall('recordedAt', 'When the revision was written to the table.'),
  replayed_at: ofCall(
    'replayedAt',
    'When an operator replayed the event. Of the rows of a revision, the latest replay counts.',
  ),
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
  time_zone: ofCall('call.timeZone', 'The IANA zone of the account.'),
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
  ...copies(copied.beforeAgents),
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
  ...Object.fromEntries(
    Object.values(callDurations).map(({ field }) => [`agent_${columnName(field)}`, ofAgents('array<double>', field)]),
  ),
  ...copies(copied.afterAgents),
};
