import { loggableMessage } from '../../lib/core/result.ts';
import {
  type FaultSource,
  type Metric,
  metricDimension,
  metricNamespace,
  type Telemetry,
} from '../../lib/telemetry/metrics.ts';
import { type EnvSchema, readEnv } from './env.ts';

interface Writer {
  readonly function: string;
  readonly deployment: string;
}

/** The fields of a log line: our own words, names and numbers. There is no field for a payload. */
interface LogLine {
  readonly level: 'info' | 'error';
  readonly message: string;
  readonly where?: FaultSource;
  readonly error?: string | undefined;
  readonly detail?: string | undefined;
  readonly reason?: string | undefined;
  readonly records?: Readonly<Record<string, number>>;
}

export interface BufferedTelemetry extends Telemetry {
  log(line: LogLine): void;
  /** Writes the metrics since the last flush in CloudWatch's embedded metric format, which needs no API call. */
  flush(): void;
}

/** How middy runs a handler. Lambda ends a run at its time-out. A handler that middy ends early would go on within a later run. */
export const runSettings = ({ flush }: BufferedTelemetry) => ({ requestEnd: flush, timeoutEarlyInMillis: 0 });

/** Structured logs and metrics, one JSON object a line, through `write` (the function's standard output). */
export const jsonTelemetry = (writer: Writer, write: (line: string) => unknown): BufferedTelemetry => {
  const buffered = new Map<Metric, number>();
  const line = (content: object) => write(`${JSON.stringify(content)}\n`);
  const log = (entry: LogLine) => line({ timestamp: new Date().toISOString(), function: writer.function, ...entry });

  return {
    log,
    count: (metric, by = 1) => buffered.set(metric, (buffered.get(metric) ?? 0) + by),
    measure: (metric, value) => {
      // JSON has no such number, and CloudWatch would skip the whole line.
      if (Number.isFinite(value)) buffered.set(metric, Math.max(value, buffered.get(metric) ?? value));
    },
    fault: (where, error) => {
      const name = error instanceof Error ? error.name : typeof error;
      log({ level: 'error', message: 'A dependency failed', where, error: name, detail: loggableMessage(error) });
    },
    flush: () => {
      if (buffered.size > 0) line(embedded(writer, buffered));
      buffered.clear();
    },
  };
};

const embedded = (writer: Writer, values: ReadonlyMap<Metric, number>) => ({
  _aws: {
    Timestamp: Date.now(),
    CloudWatchMetrics: [
      {
        Namespace: metricNamespace,
        Dimensions: [[metricDimension]],
        Metrics: [...values.keys()].map(({ name, unit }) => ({ Name: name, Unit: unit })),
      },
    ],
  },
  function: writer.function,
  [metricDimension]: writer.deployment,
  ...Object.fromEntries([...values].map(([{ name }, value]) => [name, value])),
});

/** What every deployed function has. Lambda sends its standard output to CloudWatch. */
export const deployedParts = <Env extends { readonly DEPLOYMENT: string }>(
  name: string,
  declared: EnvSchema<Env>,
  environment: Readonly<Record<string, string | undefined>>,
) => {
  const env = readEnv(declared, environment);
  const writer = { function: name, deployment: env.DEPLOYMENT };
  const telemetry = jsonTelemetry(writer, (line) => process.stdout.write(line));
  return { env, telemetry, clock: () => new Date() };
};
