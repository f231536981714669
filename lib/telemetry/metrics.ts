import type { callFields, participantFields } from '../telephony/call-fields.ts';
import { type LoggedInState, loggedInStates, unknownWords } from '../telephony/vocabularies.ts';

/** The CloudWatch namespace of our metrics. */
export const metricNamespace = 'Callfeed';

/** Their one dimension. It separates the alarms of several deployments in one AWS account. */
export const metricDimension = 'deployment';

/** The metrics by unit. Counts add up; a duration in seconds is recorded value by value. */
export const metrics = {
  CallbackRecordsAccepted: 'Count',
  CallbackRecordsStored: 'Count',
  CallbackRecordsDuplicate: 'Count',
  CallbackRecordsQuarantined: 'Count',
  CallbackRecordsParked: 'Count',
  CallbacksRejected: 'Count',
  CallbacksUnrecognised: 'Count',
  CallbacksWithUnknownKey: 'Count',
  AccountRejected: 'Count',
  AccountsUnreadable: 'Count',
  AccountsStale: 'Count',
  ChangesWritten: 'Count',
  EventsPublished: 'Count',
  EventsFailed: 'Count',
  RowsSkipped: 'Count',
  PublishLagSeconds: 'Seconds',
  DeliveriesForwarded: 'Count',
  ForwardsFailed: 'Count',
  ForwardsGivenUp: 'Count',
  RecordingsArchived: 'Count',
  RecordingsFailed: 'Count',
  RecordingsGivenUp: 'Count',
  AnalyticsRowsMade: 'Count',
  AnalyticsEventsUnreadable: 'Count',
  ParkedRecovered: 'Count',
  RecordsWithUnknownWords: 'Count',
  ReportPagesRead: 'Count',
  ReportRunsCompleted: 'Count',
  ReportRequestsFailed: 'Count',
  ReportCallsNew: 'Count',
  ReportCallsFound: 'Count',
  ReportCallsCompleted: 'Count',
  TicksHandled: 'Count',
  TicksDropped: 'Count',
  PollsSucceeded: 'Count',
  PollsFailed: 'Count',
  PollsSkipped: 'Count',
  PollConflicts: 'Count',
  PollsRateLimited: 'Count',
  TokensGenerated: 'Count',
  FeedAgeSeconds: 'Seconds',
  CallbackSilenceSeconds: 'Seconds',
  LastCallbackAgeSeconds: 'Seconds',
  AgentsChanged: 'Count',
  AgentRecordsUnreadable: 'Count',
} as const satisfies Readonly<Record<string, Unit>>;

/** A unit of CloudWatch. */
export type Unit = 'Count' | 'Seconds';

/** A metric that adds up. */
export type Counter =
  | {
      readonly [Name in keyof typeof metrics]: (typeof metrics)[Name] extends 'Count' ? Name : never;
    }[keyof typeof metrics]
  | UnknownWordMetric;

/** `AgentsInCall` for `in-call`. */
type AgentStateMetric<State extends LoggedInState> = `Agents${PascalCase<State>}`;

type PascalCase<Word extends string> = Word extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${PascalCase<Rest>}`
  : Capitalize<Word>;

/** The metric for the number of agents in a state. Every poll measures it again, so its values must not be summed. */
export function agentStateMetric<State extends LoggedInState>(state: State): AgentStateMetric<State>;
export function agentStateMetric(state: string): string {
  return `Agents${state.split('-').map(capitalised).join('')}`;
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The metrics of all states. */
export const agentStateMetrics = loggedInStates.map((state) => agentStateMetric(state));

type WordFactOf<Declared> =
  Extract<Declared[keyof Declared], { readonly vocabulary: unknown }> extends {
    readonly fact: infer Fact extends string;
  }
    ? Fact
    : never;

/** A fact of a call or participant whose words are a closed set. */
export type WordFact = WordFactOf<typeof callFields> | WordFactOf<typeof participantFields>;

/** `UnknownHangupBy` for `hangupBy`. */
export type UnknownWordMetric = `Unknown${Capitalize<WordFact>}`;

/** Whose unknown words are counted: nothing that is sent can add a metric. */
export const wordFacts = [
  ...(['status', 'type', 'hangupBy', 'campaignStatus', 'agentStatuses', 'customerStatuses'] as const),
  ...(['dialStatuses', 'dialStatus', 'transferTypes'] as const),
] satisfies readonly WordFact[];

/** The metric of stored records with an unknown word in a fact. */
export function unknownWordMetric(fact: WordFact): UnknownWordMetric;
export function unknownWordMetric(fact: string): string {
  return `Unknown${capitalised(fact)}`;
}

/**
 * Counts a stored record with words that are not known: once, and once for each of their facts. It passes on the names of
 * facts and never a word, which may be anything. Emits nothing for the usual record: these metrics cost nothing meanwhile.
 */
export const emitUnknownWordMetrics = (
  telemetry: Pick<Telemetry, 'count'>,
  facts: Readonly<Record<string, unknown>>,
): void => {
  const found = new Set(unknownWords(facts).map(({ field }) => field));
  if (found.size > 0) telemetry.count('RecordsWithUnknownWords');
  for (const fact of wordFacts) if (found.has(fact)) telemetry.count(unknownWordMetric(fact));
};

/** A metric whose single values matter: alarms read its maximum or percentiles. */
export type Gauge = Exclude<keyof typeof metrics, Counter> | (typeof agentStateMetrics)[number];

/** The name of a metric that the functions emit. */
export type Metric = Counter | Gauge;

/** Metrics that CloudWatch counts in the API's log: API Gateway rejects such a post itself, and no function runs. */
export const loggedMetrics = ['CallbacksThrottled'] as const;

/** The name of a metric that no function emits. */
export type LoggedMetric = (typeof loggedMetrics)[number];

/**
 * The metrics that the alarms of `monitoring: essential` read, but for those that no function emits. CloudWatch charges
 * each metric, so the functions then write all others into their logs only.
 */
export const essentialMetrics: readonly Metric[] = [
  'CallbackRecordsAccepted',
  'CallbackRecordsQuarantined',
  'CallbacksUnrecognised',
  'CallbacksWithUnknownKey',
  'AccountRejected',
  'EventsPublished',
  'RowsSkipped',
  'FeedAgeSeconds',
  'CallbackSilenceSeconds',
  'ForwardsFailed',
  'RecordingsArchived',
  'RecordingsFailed',
  'AnalyticsEventsUnreadable',
  ...(['ReportRunsCompleted', 'ReportCallsNew', 'ReportCallsFound'] as const),
];

/** How much CloudWatch is used: for the alarms that must wake somebody, or for everything. */
export const monitoringModes = ['essential', 'full'] as const;
export type MonitoringMode = (typeof monitoringModes)[number];

const units: Readonly<Partial<Record<Metric, Unit>>> = metrics;

/** The unit of a metric; numbers of agents have the unit Count. */
export const unitOf = (metric: Metric): Unit => units[metric] ?? 'Count';

/** Counts the written rows that the publisher must turn into events, and zeros of what it will count. */
export const emitChangeMetrics = (telemetry: Pick<Telemetry, 'count'>, changes: number): void => {
  if (changes === 0) return;
  telemetry.count('ChangesWritten', changes);
  emitPublishMetrics(telemetry);
};

/**
 * Counts published events and skipped rows, always both, because alarms compare them with each other and with the written
 * rows. A publisher that never runs emits nothing, and CloudWatch's FILL may not turn a metric without any data into zeros.
 * So every writer of rows emits the zeros: they change no sum.
 */
export const emitPublishMetrics = (
  telemetry: Pick<Telemetry, 'count'>,
  { published = 0, skipped = 0 }: { readonly published?: number; readonly skipped?: number } = {},
): void => {
  telemetry.count('EventsPublished', published);
  telemetry.count('RowsSkipped', skipped);
};

const noAnswerMetrics = ['PollsFailed', 'PollsSkipped'] as const;

/**
 * Counts a poll that was due and brought no answer, and zeros for the other ways in which it could have ended. An alarm
 * compares these metrics, and CloudWatch's FILL may yield nothing for a metric that has had no value for long.
 */
export const emitNoAnswerMetrics = (
  telemetry: Pick<Telemetry, 'count'>,
  ended: (typeof noAnswerMetrics)[number],
): void => {
  for (const end of noAnswerMetrics) telemetry.count(end, end === ended ? 1 : 0);
  telemetry.count('PollsSucceeded', 0);
};

/** Metrics and fault logs. Its types admit names and numbers only: no payload, no key and no personal data. */
export interface Telemetry {
  /** Adds to a counter. Zero is worth emitting: an alarm that compares two metrics needs data of both. */
  count(metric: Counter, by?: number): void;
  /** Records one value in the metric's unit. */
  measure(metric: Gauge, value: number): void;
  /** Logs a failure: where, the error's name, and its message only if `loggableError` made it; others may hold data. */
  fault(where: FaultSource, error: unknown): void;
}

/** The dependencies and inputs that can fail. */
export type FaultSource =
  | 'accounts'
  | 'call-store'
  | 'quarantine'
  | 'parking'
  | 'bus'
  | 'parked-message'
  | 'row'
  | 'agent-store'
  | 'forwarding'
  | 'event'
  | 'reconciliation'
  | 'recordings';
