import { type FloorState, floorStates } from './agent-login/states.ts';

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
  CallbacksRefused: 'Count',
  CallbacksOfOtherKinds: 'Count',
  QuarantineDropped: 'Count',
  AccountRefused: 'Count',
  AccountsUnreadable: 'Count',
  AccountsOutdated: 'Count',
  ChangesWritten: 'Count',
  EventsPublished: 'Count',
  EventsFailed: 'Count',
  RowsPassedOver: 'Count',
  PublishLagSeconds: 'Seconds',
  ParkedRecovered: 'Count',
  TicksServed: 'Count',
  TicksDropped: 'Count',
  PollsAnswered: 'Count',
  PollsFailed: 'Count',
  PollsPassedOver: 'Count',
  PollsOvertaken: 'Count',
  LimitRefusals: 'Count',
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
type AgentStateMetric<State extends FloorState> = `Agents${Pascal<State>}`;

type Pascal<Word extends string> = Word extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${Pascal<Rest>}`
  : Capitalize<Word>;

/** The metric that says how many agents are in a state. It is a level, measured anew by every run, and adds up to nothing. */
export function agentStateMetric<State extends FloorState>(state: State): AgentStateMetric<State>;
export function agentStateMetric(state: string): string {
  return `Agents${state.split('-').map(capitalised).join('')}`;
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The metrics of all states. */
export const agentStateMetrics = floorStates.map((state) => agentStateMetric(state));

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
