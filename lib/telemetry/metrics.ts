import { type LoggedInState, loggedInStates } from '../telephony/agent-fields.ts';

/** The CloudWatch namespace of our metrics. */
export const metricNamespace = 'Callfeed';

/** Their one dimension: what watches a deployment sees nothing of another one in the same AWS account. */
export const metricDimension = 'deployment';

/** The metrics, each in its unit. What is counted adds up; seconds are measured one by one. */
export const metrics = {
  CallbackRecordsStored: 'Count',
  CallbackRecordsDuplicate: 'Count',
  CallbackRecordsQuarantined: 'Count',
  CallbackRecordsParked: 'Count',
  CallbacksRejected: 'Count',
  CallbacksUnrecognised: 'Count',
  QuarantineDropped: 'Count',
  AccountRejected: 'Count',
  AccountsUnreadable: 'Count',
  AccountsStale: 'Count',
  ChangesWritten: 'Count',
  EventsPublished: 'Count',
  EventsFailed: 'Count',
  RowsSkipped: 'Count',
  PublishLagSeconds: 'Seconds',
  ParkedRecovered: 'Count',
  TicksHandled: 'Count',
  TicksDropped: 'Count',
  PollsSucceeded: 'Count',
  PollsFailed: 'Count',
  PollsSkipped: 'Count',
  PollConflicts: 'Count',
  PollsRateLimited: 'Count',
  TokensGenerated: 'Count',
  FeedAgeSeconds: 'Seconds',
  AgentsChanged: 'Count',
  AgentRecordsUnreadable: 'Count',
} as const satisfies Readonly<Record<string, Unit>>;

/** A unit of CloudWatch. */
export type Unit = 'Count' | 'Seconds';

/** What is counted. */
export type Counter = {
  readonly [Name in keyof typeof metrics]: (typeof metrics)[Name] extends 'Count' ? Name : never;
}[keyof typeof metrics];

/** `AgentsInCall` for `in-call`. */
type AgentStateMetric<State extends LoggedInState> = `Agents${PascalCase<State>}`;

type PascalCase<Word extends string> = Word extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${PascalCase<Rest>}`
  : Capitalize<Word>;

/** The metric that says how many agents are in a state. It is a level, measured anew by every run, and adds up to nothing. */
export function agentStateMetric<State extends LoggedInState>(state: State): AgentStateMetric<State>;
export function agentStateMetric(state: string): string {
  return `Agents${state.split('-').map(capitalised).join('')}`;
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The metrics of all states. */
export const agentStateMetrics = loggedInStates.map((state) => agentStateMetric(state));

/** What is measured: values that are looked at by their distribution. */
export type Gauge = Exclude<keyof typeof metrics, Counter> | (typeof agentStateMetrics)[number];

/** The name of a metric that the functions emit. */
export type Metric = Counter | Gauge;

/** What CloudWatch counts in the API's log: API Gateway answers such a post by itself, and no function runs for it. */
export const loggedMetrics = ['CallbacksThrottled'] as const;

/** The name of a metric that no function emits. */
export type LoggedMetric = (typeof loggedMetrics)[number];

const units: Readonly<Partial<Record<Metric, Unit>>> = metrics;

/** The unit of a metric; agents are counted. */
export const unitOf = (metric: Metric): Unit => units[metric] ?? 'Count';

/**
 * Tells that rows were written of which the publisher has to hear. Whoever writes tells as well that this made no event
 * yet: an alarm compares the two, and a publisher that nobody runs says nothing of itself, of which CloudWatch's FILL may
 * make no zero. A sum does not mind where its zeros come from.
 */
export const emitChangeMetrics = (telemetry: Pick<Telemetry, 'count'>, changes: number): void => {
  if (changes === 0) return;
  telemetry.count('ChangesWritten', changes);
  telemetry.count('EventsPublished', 0);
};

/** The present instant. */
export type Clock = () => Date;

/** What happened, as numbers and words: no payload, no key, nothing of a person can be said through it. */
export interface Telemetry {
  /** Adds to what is counted. Zero is a count too: it tells an alarm that compares that there was none. */
  count(metric: Counter, by?: number): void;
  /** Notes one value of what is measured, in the metric's unit. Zero is a value. */
  measure(metric: Gauge, value: number): void;
  /** Tells that a part of the outside world failed: where, and the error's name; its message may hold data. */
  fault(where: FaultSource, error: unknown): void;
}

/** What can fail outside of us. */
export type FaultSource =
  | 'accounts'
  | 'call-store'
  | 'quarantine'
  | 'parking'
  | 'bus'
  | 'parked-message'
  | 'row'
  | 'agent-store'
  | 'telephony-service';
