export const metricNamespace = 'Callfeed';

/** The one dimension of all metrics. It separates the alarms of several deployments in one AWS account. */
export const metricDimension = 'deployment';

/** A metric, declared once where it is emitted, and read by an alarm. docs/operations.md says what each counts or measures. */
export interface Metric<Unit extends 'Count' | 'Seconds' = 'Count' | 'Seconds'> {
  readonly name: string;
  readonly unit: Unit;
}
export type Counter = Metric<'Count'>;
/** A metric of which alarms read the maximum. */
export type Gauge = Metric<'Seconds'>;

export const counter = (name: string): Counter => ({ name, unit: 'Count' });
export const gauge = (name: `${string}Seconds`): Gauge => ({ name, unit: 'Seconds' });

export const eventsPublished = counter('EventsPublished');
export const rowsSkipped = counter('RowsSkipped');

/**
 * Counts published events and skipped rows, always both, because an alarm compares them and the number of runs that count
 * them. A publisher that never runs emits nothing, and CloudWatch's FILL may not turn a metric without any data into zeros.
 * So every run that writes rows from which events follow counts zeros here: they change no sum.
 */
export const emitPublishMetrics = (
  telemetry: Pick<Telemetry, 'count'>,
  { published = 0, skipped = 0 }: { readonly published?: number; readonly skipped?: number } = {},
): void => {
  telemetry.count(eventsPublished, published);
  telemetry.count(rowsSkipped, skipped);
};

/** Metrics and fault logs. Its types admit declared metrics and numbers only: no payload, no key and no personal data. */
export interface Telemetry {
  /** Adds to a counter. Zero is worth emitting: an alarm that compares two metrics needs data of both. */
  count(metric: Counter, by?: number): void;
  /** Of several values in one run the greatest counts. */
  measure(metric: Gauge, value: number): void;
  /** Logs a failure: where, the error's name, and its message only if `loggableError` made it; others may hold data. */
  fault(where: FaultSource, error: unknown): void;
}

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

/** How long a delay has lasted, for its gauge. */
export const secondsSince = (instantMs: number, now: Date): number => (now.getTime() - instantMs) / 1000;
