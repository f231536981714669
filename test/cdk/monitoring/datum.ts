import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import type { FunctionName } from '../../../functions/timeouts.ts';

/** What CloudWatch was told of a metric at an instant. A metric is its namespace, its name and all of its dimensions. */
export interface Datum {
  readonly at: number;
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly values: readonly number[];
}

/** What happened from one instant to another. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly data: readonly Datum[];
}

/** All of it at once. */
export const together = (...runs: readonly Run[]): Run => ({
  from: Math.min(...runs.map(({ from }) => from)),
  to: Math.max(...runs.map(({ to }) => to)),
  data: runs.flatMap(({ data }) => data),
});

/** The same, so many minutes later. */
export const later = (minutes: number, { from, to, data }: Run): Run => {
  const ms = minutes * 60_000;
  return { from: from + ms, to: to + ms, data: data.map((datum) => ({ ...datum, at: datum.at + ms })) };
};

interface Embedded {
  readonly _aws?: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
  readonly [field: string]: unknown;
}

/** What CloudWatch takes out of a line of a function's log, by its embedded metric format. */
export const dataIn = (line: string, at: number): readonly Datum[] => {
  const embedded: Embedded = JSON.parse(line);

  return (embedded._aws?.CloudWatchMetrics ?? []).flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) =>
      Metrics.map(({ Name }) => ({
        at,
        namespace: Namespace,
        metric: Name,
        dimensions: Object.fromEntries(names.map((name) => [name, String(embedded[name])])),
        values: [embedded[Name]].flat().map(Number),
      })),
    ),
  );
};

/** A clock and what was told by it: by the functions in their logs, and by AWS beside them. */
export const recorder = (clock: () => Date, deployment: string) => {
  const data: Datum[] = [];
  const now = () => clock().getTime();
  const from = now();

  return {
    /** The telemetry of a function as it is deployed. */
    telemetryOf: (name: FunctionName) =>
      jsonTelemetry({ function: name, deployment }, (line) => data.push(...dataIn(line, now()))),
    /** Notes what AWS itself would tell. */
    aws: (namespace: string, metric: string, dimensions: Datum['dimensions'], value: number) =>
      data.push({ at: now(), namespace, metric, dimensions, values: [value] }),
    run: (): Run => ({ from, to: now(), data }),
  };
};

export type Recorder = ReturnType<typeof recorder>;
