export type { FloorState } from '../lib/agent-login/states.ts';
export type {
  AgentInState,
  AgentNow,
  AgentStretch,
  Call,
  CallParticipant,
  FeedNow,
  ListedCall,
} from '../lib/contract/rows.ts';
export type { AgentDay } from './agent-day.ts';
export type { SecondsByState } from './agents/seconds-by-state.ts';
export type { CallList, CallPage, CallRange, WholeCall } from './call-lists.ts';
export type { CallfeedClient, WatchOptions } from './callfeed-client.ts';
export { type CallfeedClientOptions, createCallfeedClient } from './create-callfeed-client.ts';
export type {
  Floor,
  FloorAt,
  Freshness,
  KeptAgent,
  LastKnown,
  LivePicture,
  NoPicture,
  StalePicture,
} from './picture.ts';
export type { Read } from './read.ts';
export { UnreadableRow } from './reading/unreadable-row.ts';
