import * as z from 'zod/mini';
import { CallFacts, CallLeg, ParticipantFacts } from '../calls/schema.ts';
import { ArchivedRecording } from '../recordings/schema.ts';
import { field, instant, nonEmpty, seconds } from '../storage/field.ts';

/** The `source` of every event of Callfeed. */
export const eventSource = 'callfeed';

/** The fields that every event's `detail` has. Within a schema version fields are only added. */
export const Envelope = {
  schemaVersion: field(z.literal(1), 'The version of the detail’s schema.'),
  id: field(nonEmpty, 'The id of the event. A repeat has the same id.'),
  account: field(nonEmpty, 'The telephony account, by user name.'),
  occurredAt: field(instant, 'When the change happened.'),
  recordedAt: field(instant, 'When the change was written to the table.'),
  replayedAt: field(z.optional(instant), 'When an operator replayed the event; absent the first time.'),
  shortenedFields: field(
    z.optional(z.readonly(z.array(nonEmpty).check(z.minLength(1)))),
    'Fields that were truncated to fit the event; the row has them in full.',
  ),
};

const callId = field(nonEmpty, 'The digits of the call’s id, as text: it may exceed 2^53.', { origin: 'monitorUCID' });
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
export const CallSummaryRecorded = z
  .strictObject({
    ...Envelope,
    callId,
    source,
    firstReceivedAt,
    revision: field(z.literal(1), 'Always the first.'),
    call: CallSummary,
  })
  .register(z.globalRegistry, { title: 'Call Summary Recorded' });
export type CallSummaryRecorded = z.infer<typeof CallSummaryRecorded>;

/** Published whenever a later delivery changes the record. `occurredAt` is the receipt of the latest delivery. */
export const CallSummaryRevised = z
  .strictObject({
    ...Envelope,
    callId,
    source,
    firstReceivedAt,
    revision,
    changedFields: field(
      changedFields,
      'The fields that were added, removed or changed; `source` where the first callback came for a call of the report.',
    ),
    call: CallSummary,
  })
  .register(z.globalRegistry, { title: 'Call Summary Revised' });
export type CallSummaryRevised = z.infer<typeof CallSummaryRevised>;

/** Published for a participant of a call, and again whenever a later delivery changes the record (`revision` above 1). */
export const CallParticipantRecorded = z
  .strictObject({
    ...Envelope,
    callId,
    participantId: field(nonEmpty, 'The participant, unique within the call.'),
    revision,
    changedFields: z.optional(changedFields),
    participant: Participant,
  })
  .register(z.globalRegistry, { title: 'Call Participant Recorded' });
export type CallParticipantRecorded = z.infer<typeof CallParticipantRecorded>;

/** Published once for each recording, when its object is whole in the bucket. `occurredAt` and `recordedAt` are equal. */
export const CallRecordingArchived = z
  .strictObject({ ...Envelope, callId, recording: ArchivedRecording })
  .register(z.globalRegistry, { title: 'Call Recording Archived' });
export type CallRecordingArchived = z.infer<typeof CallRecordingArchived>;

export const callEvents = {
  'Call Summary Recorded': CallSummaryRecorded,
  'Call Summary Revised': CallSummaryRevised,
  'Call Participant Recorded': CallParticipantRecorded,
  'Call Recording Archived': CallRecordingArchived,
} as const;

export type CallEventType = keyof typeof callEvents;
