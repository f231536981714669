/**
 * What Callfeed promises to those who subscribe to its events and read its tables: types, schemas (zod), `parseEvent`.
 * It needs zod, and nothing of AWS. A schema and its type share a name.
 */

export { Agent } from '../lib/agent-login/model.ts';
export {
  AgentDetailsChanged,
  AgentFeedInterrupted,
  AgentFeedRestored,
  AgentLoggedIn,
  AgentLoggedOut,
  AgentStateChanged,
} from '../lib/contract/agent-events.ts';
export {
  CallParticipantRecorded,
  CallSummary,
  CallSummaryRecorded,
  CallSummaryRevised,
  Participant,
} from '../lib/contract/call-events.ts';
export { eventSource } from '../lib/contract/envelope.ts';
export { type EventType, eventSchemas } from '../lib/contract/event-schemas.ts';
export { Note } from '../lib/contract/note.ts';
export {
  AgentInState,
  AgentNow,
  AgentStretch,
  Call,
  CallParticipant,
  FeedNow,
  KeptDelivery,
  ListedCall,
  PastFloor,
  rows,
} from '../lib/contract/rows.ts';
export { agentsTable, callsTable, type Index, type Key, type Table } from '../lib/contract/tables.ts';
export { FeedChange } from '../lib/feed/feed-change.ts';
export type { CallfeedEvent, EventOf } from './callfeed-event.ts';
export type { EventProblem } from './event-problem.ts';
export { NotACallfeedEvent } from './not-a-callfeed-event.ts';
export { parseEvent } from './parse-event.ts';
