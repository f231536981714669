import * as z from 'zod/mini';
import { Agent, FeedChange, Interval, PollStatus, pollerReadings, Snapshot } from '../agents/schema.ts';
import { postingShape } from '../calls/stored-delivery.ts';
import { Envelope } from '../storage/event.ts';
import { field, instant, nonEmpty } from '../storage/field.ts';
import { listedInCalls } from '../storage/tables.ts';
import { CallParticipantRecorded, CallSummary, CallSummaryRevised, Participant } from './call-events.ts';
import { featureRows } from './features.ts';

const account = Envelope.account;

/** A distinct delivery about a call or participant. */
export const StoredDelivery = z
  .object({
    id: field(nonEmpty, 'A hash of its content.'),
    receivedAt: field(instant, 'When it was first received.'),
    asSent: field(
      nonEmpty,
      'The JSON text of the record as it was sent, without keys: gzip in base64 (`base64 -d | gunzip`).',
      { personal: true },
    ),
    source: field(z.optional(z.literal('report')), 'Present if it was read in the service’s call report.'),
    day: field(
      z.optional(z.iso.date()),
      'The day for which the report was asked, in the account’s zone, where the record itself has no plain date.',
    ),
    country: field(z.optional(nonEmpty), 'The country of the account’s numbers, where the account named one.'),
    postedIn: field(
      postingShape().postedIn,
      'With [forwarding](forwarding.md), of a list or a post with a key beside `data`: the ids of the deliveries that were one ' +
        'post, what stood around them, and the field of the key.',
    ),
    keysAt: field(
      postingShape().keysAt,
      'With forwarding, where the account’s key was not just in its own field: which of the `***` in `asSent`, counted from 0, were it.',
    ),
    formerId: field(
      z.optional(nonEmpty),
      'With forwarding, its id in `postedIn`, if `callfeed renormalise` has changed its id since.',
    ),
    erasedAt: field(
      z.optional(instant),
      'When a person was erased from it; `asSent` is then the word `erased`, compressed.',
    ),
    differences: field(
      z.optional(z.record(z.string(), z.unknown())),
      'The fields in which it differs from the row, by name; null where it had no value.',
      { personal: true },
    ),
  })
  .register(z.globalRegistry, { title: 'Stored delivery' });
export type StoredDelivery = z.infer<typeof StoredDelivery>;

const recordFields = {
  account,
  callId: CallSummaryRevised.shape.callId,
  revision: CallSummaryRevised.shape.revision,
  recordedAt: field(instant, 'When the facts last changed in the table.'),
  firstReceivedAt: field(instant, 'When the first delivery was received.'),
  lastReceivedAt: field(instant, 'When the latest distinct delivery was first received.'),
  lastChange: field(
    z.optional(
      z.object({
        revision: field(CallSummaryRevised.shape.revision, 'The revision that it led to.'),
        occurredAt: field(instant, 'The `occurredAt` of its event.'),
        changedFields: CallParticipantRecorded.shape.changedFields,
      }),
    ),
    'What the event of the latest revision says of its change, where that is not what the latest delivery changed.',
  ),
  replayedAt: Envelope.replayedAt,
  deliveries: field(z.readonly(z.array(StoredDelivery)), 'Every distinct delivery, the first received first.'),
};

const firstRecordedAt = field(
  z.optional(instant),
  'When the call was first written to the table, whatever its start. Without it, that was at `recordedAt` if `revision` is 1; ' +
    'of other rows, which are from before it was stored, it is not known.',
);

/** The row of a call. */
export const Call = z
  .object({ ...recordFields, firstRecordedAt, source: CallSummaryRevised.shape.source, ...CallSummary.shape })
  .register(z.globalRegistry, { title: 'Call' });
export type Call = Readonly<z.infer<typeof Call>>;

/** The row of a participant in a call. */
export const CallParticipant = z
  .object({ ...recordFields, participantId: CallParticipantRecorded.shape.participantId, ...Participant.shape })
  .register(z.globalRegistry, { title: 'Call participant' });
export type CallParticipant = Readonly<z.infer<typeof CallParticipant>>;

/** A call in a list: some of the fields of its row. */
export const ListedCall = z
  .object({
    ...z.pick(Call, listedInCalls).shape,
    listedAt: field(
      instant,
      'The position of the call in lists: its start, else its end, else `approximateAt`, else its first receipt. A start after the ' +
        'receipt gives way to an end before it, and after more than a week to the receipt.',
    ),
    firstRecordedAt: field(
      z.optional(instant),
      'When the call was first written to the table. Only in `byLateRecording`, and in the client’s lists by recording.',
    ),
  })
  .register(z.globalRegistry, { title: 'Listed call' });
export type ListedCall = Readonly<z.infer<typeof ListedCall>>;

/** The row of an agent who is logged in, as of the feed's `asOf`. */
export const AgentNow = z
  .object({
    account,
    ...Agent.shape,
    version: field(z.int().check(z.positive()), 'Counts the changes of the agent since the log-in, from 1.'),
    changedAt: field(instant, 'When the poll of the latest change was sent.'),
    recordedAt: field(instant, 'When the latest change was written to the table.'),
  })
  .register(z.globalRegistry, { title: 'Agent now' });
export type AgentNow = Readonly<z.infer<typeof AgentNow>>;

/** An agent in the list of the agents in a state: without undocumented fields. */
export const AgentInState = z
  .object({ account, ...z.omit(Agent, { extra: true }).shape })
  .register(z.globalRegistry, { title: 'Agent in a state' });
export type AgentInState = Readonly<z.infer<typeof AgentInState>>;

/** The row of an account's feed, which has the age of the agents' rows; without the poller's own state. */
export const FeedNow = z
  .extend(z.omit(PollStatus, { poller: true }), pollerReadings)
  .register(z.globalRegistry, { title: 'Feed now' });
export type FeedNow = Readonly<z.infer<typeof FeedNow>>;

/** A part of an agent's day in one state. */
export const AgentInterval = z
  .object({ account, ...Interval.shape })
  .register(z.globalRegistry, { title: 'Agent interval' });
export type AgentInterval = Readonly<z.infer<typeof AgentInterval>>;

/** A snapshot of all agents, or a part of one. */
export const FloorSnapshot = z
  .object({ account, ...Snapshot.shape })
  .register(z.globalRegistry, { title: 'Floor snapshot' });
export type FloorSnapshot = Readonly<z.infer<typeof FloorSnapshot>>;

/** An interruption of an account's feed, or its end. */
export { FeedChange };

/** Every readable row, by its name in the contract. */
export const rows = {
  Call,
  CallParticipant,
  ListedCall,
  ...featureRows,
  AgentNow,
  AgentInState,
  FeedNow,
  AgentInterval,
  FloorSnapshot,
  FeedChange,
};
