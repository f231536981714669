import * as z from 'zod';
import { Agent, CurrentAgent } from '../agents/agent.ts';
import { Feed, FeedChange } from '../agents/feed.ts';
import { Interval } from '../agents/interval.ts';
import { Snapshot } from '../agents/snapshot.ts';
import { field, instant, text } from '../schema/field.ts';
import { listedInCalls } from '../schema/tables.ts';
import { CallParticipantRecorded, CallSummary, CallSummaryRevised, Envelope, Participant } from './call-events.ts';

const account = Envelope.account;

/** One of the distinct things that were received about a call or participant. */
export const StoredDelivery = z
  .object({
    id: field(text, 'Names it by its content.'),
    receivedAt: field(instant, 'When it was first received.'),
    differences: field(
      z.record(z.string(), z.unknown()).optional(),
      'What it said otherwise than the row, by the names of the row’s fields; null is what it did not say.',
      { personal: true },
    ),
  })
  .meta({ title: 'Stored delivery' });
export type StoredDelivery = z.infer<typeof StoredDelivery>;

/** What the row of a call and that of a participant have beside the facts. */
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

/** The row of a call, or of one leg of it. */
export const Call = z
  .object({ ...recordFields, leg: CallSummaryRevised.shape.leg, ...CallSummary.shape })
  .meta({ title: 'Call' });
export type Call = Readonly<z.infer<typeof Call>>;

/** The row of a participant in a call. */
export const CallParticipant = z
  .object({ ...recordFields, participantId: CallParticipantRecorded.shape.participantId, ...Participant.shape })
  .meta({ title: 'Call participant' });
export type CallParticipant = Readonly<z.infer<typeof CallParticipant>>;

/** What the lists of calls show of one; the call's row has it all. */
export const ListedCall = z
  .object({
    ...Call.pick(listedInCalls).shape,
    listedAt: field(instant, 'Where the call stands in lists: its start, else its end, else its first receipt.'),
  })
  .meta({ title: 'Listed call' });
export type ListedCall = Readonly<z.infer<typeof ListedCall>>;

/** The row of an agent who is logged in, true for the feed's `asOf`. */
export const AgentNow = z
  .object({
    account,
    ...CurrentAgent.omit({ intervalFrom: true }).shape,
    version: field(CurrentAgent.shape.version, 'Counts what was told of the agent since the log-in, from 1.'),
    changedAt: field(instant, 'The poll that brought what was told last.'),
    recordedAt: field(instant, 'When that was written.'),
  })
  .meta({ title: 'Agent now' });
export type AgentNow = Readonly<z.infer<typeof AgentNow>>;

/** What the list of agents in a state shows of one. */
export const AgentInState = z.object({ account, ...Agent.shape }).meta({ title: 'Agent in a state' });
export type AgentInState = Readonly<z.infer<typeof AgentInState>>;

/** The row that says how old the picture of an account's floor is, without the poller's own notes. */
export const FeedNow = Feed.omit({ poller: true }).meta({ title: 'Feed now' });
export type FeedNow = Readonly<z.infer<typeof FeedNow>>;

/** A piece of an agent's day in one state. */
export const AgentInterval = z.object({ account, ...Interval.shape }).meta({ title: 'Agent interval' });
export type AgentInterval = Readonly<z.infer<typeof AgentInterval>>;

/** A whole floor of the past, or a part of one. */
export const FloorSnapshot = z.object({ account, ...Snapshot.shape }).meta({ title: 'Floor snapshot' });
export type FloorSnapshot = Readonly<z.infer<typeof FloorSnapshot>>;

/** Every readable row, by the name under which the contract has it. */
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
