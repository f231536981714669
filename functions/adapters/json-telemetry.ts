import type { Metric, Place, Telemetry } from '../../lib/ports.ts';
import { toldBy } from '../../lib/tellable.ts';

/** The CloudWatch namespace of our metrics. */
export const metricNamespace = 'Callfeed';

/** All that a log line may hold: words of ours, names and numbers. There is no field for a payload. */
interface LogLine {
  readonly level: 'info' | 'error';
  readonly message: string;
  readonly where?: Place;
  readonly error?: string | undefined;
  readonly detail?: string | undefined;
  readonly reason?: string | undefined;
  readonly records?: Readonly<Record<string, number>>;
}

/** Telemetry that is written at the end of each invocation. */
export interface BufferedTelemetry extends Telemetry {
  /** Writes one structured line. */
  log(line: LogLine): void;
  /** Writes what was counted since the last time as one line in CloudWatch's embedded metric format: no API call. */
  flush(): void;
}

/** Structured logs and metrics, one JSON object a line, through `write` (the function's standard output). */
export const jsonTelemetry = (functionName: string, write: (line: string) => unknown): BufferedTelemetry => {
  const counts = new Map<Metric, number>();
  const line = (content: object) => write(`${JSON.stringify(content)}\n`);
  const log = (entry: LogLine) => line({ time: new Date().toISOString(), function: functionName, ...entry });

  return {
    log,
    count: (metric, by = 1) => {
      if (by > 0) counts.set(metric, (counts.get(metric) ?? 0) + by);
    },
    fault: (where, error) => {
      const name = error instanceof Error ? error.name : typeof error;
      log({ level: 'error', message: 'Something outside failed', where, error: name, detail: toldBy(error) });
    },
    flush: () => {
      if (counts.size === 0) return;
      line({ _aws: embedded([...counts.keys()]), function: functionName, ...Object.fromEntries(counts) });
      counts.clear();
    },
  };
};

const embedded = (metrics: readonly Metric[]) => ({
  Timestamp: Date.now(),
  CloudWatchMetrics: [
    {
      Namespace: metricNamespace,
      Dimensions: [['function']],
      Metrics: metrics.map((Name) => ({ Name, Unit: 'Count' })),
    },
  ],
});
