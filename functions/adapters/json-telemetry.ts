import { loggableMessage } from '../../lib/core/result.ts';
import {
  type FaultSource,
  type Metric,
  metricDimension,
  metricNamespace,
  type Telemetry,
  unitOf,
} from '../../lib/telemetry/metrics.ts';

/** CloudWatch takes so many values of a metric in a line. */
const maxValues = 100;

/** Which function writes, and for which deployment. */
export interface Writer {
  readonly function: string;
  readonly deployment: string;
}

/** All that a log line may hold: words of ours, names and numbers. There is no field for a payload. */
interface LogLine {
  readonly level: 'info' | 'error';
  readonly message: string;
  readonly where?: FaultSource;
  readonly error?: string | undefined;
  readonly detail?: string | undefined;
  readonly reason?: string | undefined;
  readonly records?: Readonly<Record<string, number>>;
}

/** Telemetry that is written at the end of each invocation. */
export interface BufferedTelemetry extends Telemetry {
  /** Writes one structured line. */
  log(line: LogLine): void;
  /** Writes what was counted and measured since the last time in CloudWatch's embedded metric format: no API call. */
  flush(): void;
}

/** Structured logs and metrics, one JSON object a line, through `write` (the function's standard output). */
export const jsonTelemetry = (writer: Writer, write: (line: string) => unknown): BufferedTelemetry => {
  const noted = new Map<Metric, number[]>();
  const line = (content: object) => write(`${JSON.stringify(content)}\n`);
  const log = (entry: LogLine) => line({ time: new Date().toISOString(), function: writer.function, ...entry });

  return {
    log,
    count: (metric, by = 1) => {
      const [sum = 0] = noted.get(metric) ?? [];
      noted.set(metric, [sum + by]);
    },
    measure: (metric, value) => {
      // JSON has no word for it, and CloudWatch would pass over the whole line.
      if (!Number.isFinite(value)) return;
      const values = noted.get(metric);
      if (values === undefined) noted.set(metric, [value]);
      else values.push(value);
    },
    fault: (where, error) => {
      const name = error instanceof Error ? error.name : typeof error;
      log({ level: 'error', message: 'A dependency failed', where, error: name, detail: loggableMessage(error) });
    },
    flush: () => {
      const longest = Math.max(0, ...[...noted.values()].map(({ length }) => length));
      for (let from = 0; from < longest; from += maxValues) line(embedded(writer, valuesFrom(noted, from)));
      noted.clear();
    },
  };
};

/** As many values of each metric as a line takes, from one of them on. */
const valuesFrom = (noted: ReadonlyMap<Metric, readonly number[]>, from: number) =>
  [...noted]
    .map(([metric, values]) => [metric, values.slice(from, from + maxValues)] as const)
    .filter(([, values]) => values.length > 0);

const embedded = (writer: Writer, noted: readonly (readonly [Metric, readonly number[]])[]) => ({
  _aws: {
    Timestamp: Date.now(),
    CloudWatchMetrics: [
      {
        Namespace: metricNamespace,
        Dimensions: [[metricDimension]],
        Metrics: noted.map(([Name]) => ({ Name, Unit: unitOf(Name) })),
      },
    ],
  },
  function: writer.function,
  [metricDimension]: writer.deployment,
  ...Object.fromEntries(noted.map(([metric, values]) => [metric, values.length === 1 ? values[0] : values])),
});

/** The telemetry of a deployed function, of which Lambda keeps whatever it writes to standard output. */
export const deployedTelemetry = (name: string, { DEPLOYMENT }: { readonly DEPLOYMENT: string }): BufferedTelemetry =>
  jsonTelemetry({ function: name, deployment: DEPLOYMENT }, (line) => process.stdout.write(line));
