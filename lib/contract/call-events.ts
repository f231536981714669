import * as z from 'zod';
import { CallFacts, ParticipantFacts } from '../calls/schema.ts';
import { field, instant, seconds, text } from '../schema/field.ts';

/** The source of every event of ours on the bus. */
export const eventSource = 'callfeed';

/** What every event's `detail` has, whatever it tells of. Within a schema version fields are only added. */
export const Envelope = {
  schemaVersion: field(z.literal(1), 'The version of the detail’s shape.'),
  id: field(text, 'Names the event for good: a repeat has the same one, so subscribers can drop it.'),
  account: field(text, 'The account of the telephony service, by its user name.'),
  occurredAt: field(instant, 'When what the event tells of happened.'),
  recordedAt: field(instant, 'When it was written to the table.'),
  replayedAt: field(
    instant.optional(),
    'When an operator had the event told again, as it was and with the same id; absent the first time.',
  ),
  shortenedFields: field(
    z.array(text).min(1).readonly().optional(),
    'Fields of which the event holds only the beginning, since it would be too large; the row has them whole.',
  ),
};

const callId = field(text, 'The call, by the digits of its id as text: it may exceed 2^53.', { origin: 'monitorUCID' });
const leg = field(text, 'The leg of the call; `main` where it has only one.', { origin: 'CallID' });
const elapsedSeconds = field(seconds.optional(), 'From start to end, where both are known.');
const changedFields = field(z.array(text).readonly(), 'The fields that are new, gone or different.');

/** The revision that an event tells of: consecutive, so that a gap shows a missed event. */
const revision = field(z.int().positive(), 'Which state of the record this is, counted from 1.');

/** A call as published: what stands of all that was delivered about it. */
export const CallSummary = z.strictObject({ ...CallFacts.shape, elapsedSeconds }).meta({ title: 'Call summary' });
export type CallSummary = z.infer<typeof CallSummary>;

/** A participant as published. */
export const Participant = z.strictObject({ ...ParticipantFacts.shape, elapsedSeconds }).meta({ title: 'Participant' });
export type Participant = z.infer<typeof Participant>;

/** Told once for each call and leg, when it is first heard of. `occurredAt` is its end, else start, else receipt. */
export const CallSummaryRecorded = z
  .strictObject({ ...Envelope, callId, leg, revision: field(z.literal(1), 'Always the first.'), call: CallSummary })
  .meta({ title: 'Call Summary Recorded' });
export type CallSummaryRecorded = z.infer<typeof CallSummaryRecorded>;

/** Told whenever a later delivery changed the record. `occurredAt` is the receipt of the latest delivery. */
export const CallSummaryRevised = z
  .strictObject({ ...Envelope, callId, leg, revision, changedFields, call: CallSummary })
  .meta({ title: 'Call Summary Revised' });
export type CallSummaryRevised = z.infer<typeof CallSummaryRevised>;

/** Told for a participant of a call, and again whenever a later delivery changed what is known (`revision` above 1). */
export const CallParticipantRecorded = z
  .strictObject({
    ...Envelope,
    callId,
    participantId: field(text, 'The participation within its call.'),
    revision,
    changedFields: changedFields.optional(),
    participant: Participant,
  })
  .meta({ title: 'Call Participant Recorded' });
export type CallParticipantRecorded = z.infer<typeof CallParticipantRecorded>;

/** Every event about calls, by its `detail-type`. */
export const callEvents = {
  'Call Summary Recorded': CallSummaryRecorded,
  'Call Summary Revised': CallSummaryRevised,
  'Call Participant Recorded': CallParticipantRecorded,
} as const;

/** A `detail-type` of ours. */
export type CallEventType = keyof typeof callEvents;
