export type { MissedCall, WaitingCaller } from '../lib/contract/missed-callers.ts';
export type {
  AgentInState,
  AgentInterval,
  AgentNow,
  Call,
  CallParticipant,
  FeedChange,
  FeedNow,
  ListedCall,
} from '../lib/contract/rows.ts';
export {
  type CallEnd,
  type CallOutcome,
  handleSecondsOf,
  isAbandoned,
  isFree,
  isMissed,
  isShortAbandoned,
  type MissedState,
} from '../lib/contract/rules.ts';
export type { DayPeriod } from '../lib/core/time.ts';
export type { LoggedInState } from '../lib/telephony/vocabularies.ts';
export type { AgentDay, SecondsByState } from './agent-days.ts';
export {
  type AgentFigureName,
  type AgentFigures,
  type AgentTime,
  agentFigureDefinitions,
  agentFigures,
  type TimeFigure,
} from './agent-figures.ts';
export type { CallDay, CallRange, RecordedRange } from './arguments.ts';
export {
  type CallFigureName,
  type CallFigures,
  type CallToCount,
  callFigureDefinitions,
  defaultWithinSeconds,
  type Figure,
  type FigureDefinition,
  type FigureSettings,
} from './call-figures.ts';
export type { CallWait, WaitOfMissed } from './call-wait.ts';
export type { CallDetails, CallList, CallPage, TooManyCalls } from './calls.ts';
export type { LookThrough } from './calls-by-time.ts';
export { type CallfeedClient, type CallfeedClientOptions, createCallfeedClient, type WatchOptions } from './client.ts';
export type { Numbering, OtherSpellings } from './customer-calls.ts';
export type { DayOptions, DayRecords, PeriodOptions, PeriodRecords } from './day.ts';
export type { DayAgent, DayProgress } from './day-agents.ts';
export type { DayCall } from './day-call.ts';
export {
  type CallGroup,
  type CallGrouping,
  callFigures,
  callFiguresBy,
  callFiguresByTime,
  callGroupings,
  type DayFigures,
  type DayGroup,
  type DayToCount,
  type DayToFigure,
  dayFigures,
  dayFiguresBy,
  isTimeGrouping,
} from './day-figures.ts';
export { diagnoseFeed, type FeedDiagnosis, type FeedProblem, type FeedSide, feedProblemText } from './feed-problem.ts';
export type { Floor, Freshness, LastKnown, LiveFreshness, NeverPolledFreshness, StaleFreshness } from './floor.ts';
export type { MissedCalls, MissedQuestion } from './missed-calls.ts';
export type { FloorAt, FloorCounts, FloorHistory, SnapshotAgent } from './past-agents.ts';
export { UnreadableRow } from './read-rows.ts';
export type { RecordingInVain } from './recordings.ts';
export type { Read } from './table-reader.ts';
