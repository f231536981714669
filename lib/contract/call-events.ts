import * as z from 'zod/mini';
import { CallFacts, CallLeg, ParticipantFacts } from '../calls/schema.ts';
import { callId, eventKind } from '../storage/event.ts';
import { field, instant, nonEmpty, seconds } from '../storage/field.ts';

const elapsedSeconds = field(z.optional(seconds), 'The time from start to end, where both are known.');
const changedFields = field(z.readonly(z.array(nonEmpty)), 'The fields that were added, removed or changed.');

const source = field(
  z.optional(z.literal('report')),
  'Present if no callback came so far, and the call was found in the service’s call report.',
);

const firstReceivedAt = field(
  z.optional(instant),
  'When the first delivery was received: present where the call does not count at its start, or else its end, and where it is more ' +
    'than a year older.',
);

/** Revisions are consecutive, so a gap shows a missed event. */
const revision = field(z.int().check(z.positive()), 'The revision of the record, counted from 1.');

/** A call as published, merged from everything that was delivered about it. */
export const CallSummary = z
  .strictObject({
    ...CallFacts.shape,
    legs: field(
      z.optional(z.readonly(z.array(CallLeg).check(z.minLength(2)))),
      'The legs, where several were named. The fields of the call are merged from all of them.',
    ),
    elapsedSeconds,
  })
  .register(z.globalRegistry, { title: 'Call summary' });
export type CallSummary = z.infer<typeof CallSummary>;

export const Participant = z
  .strictObject({ ...ParticipantFacts.shape, elapsedSeconds })
  .register(z.globalRegistry, { title: 'Participant' });
export type Participant = z.infer<typeof Participant>;

/** Published once for each call, on its first delivery. `occurredAt` is its end, else its start, else near it, else its receipt. */
export const CallSummaryRecorded = eventKind(
  'Call Summary Recorded',
  { callId, source, firstReceivedAt, revision: field(z.literal(1), 'Always the first.'), call: CallSummary },
  {
    when:
      'A call is stored for the first time, usually some seconds after it ended. ' +
      '`occurredAt` is its end, else its start, else `approximateAt`, else the receipt.',
    narrowed: {
      to: 'answered calls of a skill',
      detail: { call: { status: ['answered'], skillName: ['General'] } },
    },
    replayedFrom: 'calls',
  },
);
export type CallSummaryRecorded = z.infer<typeof CallSummaryRecorded>;

/** Published whenever a later delivery changes the record. `occurredAt` is the receipt of the latest delivery. */
export const CallSummaryRevised = eventKind(
  'Call Summary Revised',
  {
    callId,
    source,
    firstReceivedAt,
    revision,
    changedFields: field(
      changedFields,
      'The fields that were added, removed or changed; `source` where the first callback came for a call of the report.',
    ),
    call: CallSummary,
  },
  {
    when:
      'A later delivery changed a call, often by the disposition, minutes after the call. ' +
      '`occurredAt` is the receipt of that delivery. The event has the full call.',
    narrowed: { to: 'another disposition', detail: { changedFields: ['dispositions'] } },
    replayedFrom: 'calls',
  },
);
export type CallSummaryRevised = z.infer<typeof CallSummaryRevised>;

/** Published for a participant of a call, and again whenever a later delivery changes the record (`revision` above 1). */
export const CallParticipantRecorded = eventKind(
  'Call Participant Recorded',
  {
    callId,
    participantId: field(nonEmpty, 'The participant, unique within the call.'),
    revision,
    changedFields: z.optional(changedFields),
    participant: Participant,
  },
  {
    when:
      'A participant of a call is stored (`revision` 1) or changed (above 1). Only accounts with advanced callbacks ' +
      'have participants.',
    narrowed: { to: 'new participants', detail: { revision: [1] } },
    replayedFrom: 'calls',
  },
);
export type CallParticipantRecorded = z.infer<typeof CallParticipantRecorded>;

export const callEvents = {
  'Call Summary Recorded': CallSummaryRecorded,
  'Call Summary Revised': CallSummaryRevised,
  'Call Participant Recorded': CallParticipantRecorded,
} as const;

export type CallEventType = keyof typeof callEvents;
