export { Agent, FeedChange } from '../agents/schema.ts';
export { eventSource } from '../storage/event.ts';
export { Note } from '../storage/field.ts';
export { agentsTable, callsTable, type Index, type Key, type Table } from '../storage/tables.ts';
export {
  AgentDetailsChanged,
  AgentFeedInterrupted,
  AgentFeedRestored,
  AgentLoggedIn,
  AgentLoggedOut,
  AgentStateChanged,
} from './agent-events.ts';
export {
  CallParticipantRecorded,
  CallSummary,
  CallSummaryRecorded,
  CallSummaryRevised,
  Participant,
} from './call-events.ts';
export { type EventType, eventSchemas } from './events.ts';
export { CallRecordingArchived, Recording } from './features.ts';
export { type CallfeedEvent, type EventOf, type EventProblem, NotACallfeedEvent, parseEvent } from './parse-event.ts';
export {
  AgentInState,
  AgentInterval,
  AgentNow,
  Call,
  CallParticipant,
  FeedNow,
  FloorSnapshot,
  ListedCall,
  rows,
  StoredDelivery,
} from './rows.ts';
export {
  abandonedCalls,
  type CallEnd,
  type CallOutcome,
  freeAgents,
  handleSecondsOf,
  isAbandoned,
  isFree,
  isMissed,
  isShortAbandoned,
  missedCalls,
  shortAbandonedCalls,
} from './rules.ts';

/**
 * The contract for those who subscribe to Callfeed's events and read its tables: types, schemas (zod) and `parseEvent`.
 * It needs zod, and no AWS package. A schema and its type share a name.
 */
