import * as z from 'zod';
import { Agent, CurrentAgent, Interval } from '../agents/agent.ts';
import { Feed } from '../agents/feed.ts';
import { FeedChange } from '../agents/feed-change.ts';
import { Snapshot } from '../agents/snapshot.ts';
import { field, instant, text } from '../schema/field.ts';
import { listedInCalls } from '../schema/tables.ts';
import { CallParticipantRecorded, CallSummary, CallSummaryRevised, Envelope, Participant } from './call-events.ts';

const account = Envelope.account;

/** A distinct delivery about a call or participant. */
export const StoredDelivery = z
  .object({
    id: field(text, 'A hash of its content.'),
    receivedAt: field(instant, 'When it was first received.'),
    asSent: field(
      text,
      'The JSON text of the record as it was sent, without keys: gzip in base64 (`base64 -d | gunzip`).',
      { personal: true },
    ),
    source: field(z.literal('report').optional(), 'Present if it was read in the service’s call report.'),
    erasedAt: field(
      instant.optional(),
      'When a person was erased from it; `asSent` is then the word `erased`, compressed.',
    ),
    differences: field(
      z.record(z.string(), z.unknown()).optional(),
      'The fields in which it differs from the row, by name; null where it had no value.',
      { personal: true },
    ),
  })
  .meta({ title: 'Stored delivery' });
export type StoredDelivery = z.infer<typeof StoredDelivery>;

/** The fields that rows of calls and participants have besides the facts. */
const recordFields = {
  account,
  callId: CallSummaryRevised.shape.callId,
  revision: CallSummaryRevised.shape.revision,
  recordedAt: field(instant, 'When the facts last changed in the table.'),
  firstReceivedAt: field(instant, 'When the first delivery was received.'),
  lastReceivedAt: field(instant, 'When the latest distinct delivery was first received.'),
  replayedAt: Envelope.replayedAt,
  deliveries: field(z.array(StoredDelivery).readonly(), 'Every distinct delivery, the first received first.'),
};

const firstRecordedAt = field(
  instant.optional(),
  'When the call was first written to the table, whatever its start. Without it, that was at `recordedAt` if `revision` is 1; ' +
    'of other rows, which are from before it was stored, it is not known.',
);

/** The row of a call. */
export const Call = z
  .object({ ...recordFields, firstRecordedAt, source: CallSummaryRevised.shape.source, ...CallSummary.shape })
  .meta({ title: 'Call' });
export type Call = Readonly<z.infer<typeof Call>>;

/** The row of a participant in a call. */
export const CallParticipant = z
  .object({ ...recordFields, participantId: CallParticipantRecorded.shape.participantId, ...Participant.shape })
  .meta({ title: 'Call participant' });
export type CallParticipant = Readonly<z.infer<typeof CallParticipant>>;

/** A call in a list: some of the fields of its row. */
export const ListedCall = z
  .object({
    ...Call.pick(listedInCalls).shape,
    listedAt: field(instant, 'The position of the call in lists: its start, else its end, else its first receipt.'),
    firstRecordedAt: field(
      instant.optional(),
      'When the call was first written to the table. Only in `byLateRecording`, and in the client’s lists by recording.',
    ),
  })
  .meta({ title: 'Listed call' });
export type ListedCall = Readonly<z.infer<typeof ListedCall>>;

/** The row of an agent who is logged in, as of the feed's `asOf`. */
export const AgentNow = z
  .object({
    account,
    ...CurrentAgent.omit({ intervalFrom: true }).shape,
    version: field(CurrentAgent.shape.version, 'Counts the changes of the agent since the log-in, from 1.'),
    changedAt: field(instant, 'When the poll of the latest change was sent.'),
    recordedAt: field(instant, 'When the latest change was written to the table.'),
  })
  .meta({ title: 'Agent now' });
export type AgentNow = Readonly<z.infer<typeof AgentNow>>;

/** An agent in the list of the agents in a state: without undocumented fields. */
export const AgentInState = z
  .object({ account, ...Agent.omit({ extra: true }).shape })
  .meta({ title: 'Agent in a state' });
export type AgentInState = Readonly<z.infer<typeof AgentInState>>;

/** The row of an account's feed, which has the age of the agents' rows; without the poller's own state. */
export const FeedNow = Feed.omit({ poller: true }).meta({ title: 'Feed now' });
export type FeedNow = Readonly<z.infer<typeof FeedNow>>;

/** A part of an agent's day in one state. */
export const AgentInterval = z.object({ account, ...Interval.shape }).meta({ title: 'Agent interval' });
export type AgentInterval = Readonly<z.infer<typeof AgentInterval>>;

/** A snapshot of all agents, or a part of one. */
export const FloorSnapshot = z.object({ account, ...Snapshot.shape }).meta({ title: 'Floor snapshot' });
export type FloorSnapshot = Readonly<z.infer<typeof FloorSnapshot>>;

/** Every readable row, by its name in the contract. */
export const rows = {
  Call,
  CallParticipant,
  ListedCall,
  AgentNow,
  AgentInState,
  FeedNow,
  AgentInterval,
  FloorSnapshot,
  FeedChange,
};
