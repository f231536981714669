import type { Template } from 'aws-cdk-lib/assertions';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import type { FunctionName } from '../../../functions/timeouts.ts';
import { only, type Properties } from '../support/template.ts';

/** What CloudWatch was told of a metric at an instant. A metric is its namespace, its name and all of its dimensions. */
export interface MetricDatum {
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
  readonly data: readonly MetricDatum[];
}

/** All of it at once. */
export const combinedRuns = (...runs: readonly Run[]): Run => ({
  from: Math.min(...runs.map(({ from }) => from)),
  to: Math.max(...runs.map(({ to }) => to)),
  data: runs.flatMap(({ data }) => data),
});

/** The same, so many minutes later. */
export const delayedRun = (minutes: number, { from, to, data }: Run): Run => {
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
export const metricDataIn = (line: string, at: number): readonly MetricDatum[] => {
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
export const metricRecorder = (clock: () => Date, deployment: string) => {
  const data: MetricDatum[] = [];
  const now = () => clock().getTime();
  const from = now();

  return {
    /** The telemetry of a function as it is deployed. */
    telemetryOf: (name: FunctionName) =>
      jsonTelemetry({ function: name, deployment }, (line) => data.push(...metricDataIn(line, now()))),
    /** Notes what AWS itself would tell. */
    aws: (namespace: string, metric: string, dimensions: MetricDatum['dimensions'], value: number) =>
      data.push({ at: now(), namespace, metric, dimensions, values: [value] }),
    run: (): Run => ({ from, to: now(), data }),
  };
};

export type MetricRecorder = ReturnType<typeof metricRecorder>;

/** The deployment to which things happen. */
export interface DeployedResources {
  readonly deployment: string;
  readonly queue: Properties;
  readonly subscriptions: Readonly<Record<'Calls' | 'Agents', Properties>>;
  /** How the API writes its log, and what is counted in it. */
  readonly accessLog: { readonly format: string; readonly filter: Properties };
}

/** Something that goes wrong. */
export interface Scenario {
  /** What it is, as a sentence. */
  readonly what: string;
  /** Runs the real code under it. */
  readonly cause: (of: DeployedResources) => Promise<Run>;
}

/** The fault that an alarm is there for. */
export interface Fault extends Scenario {
  readonly alarm: string;
  /** What comes close to it, and is none of this alarm's. */
  readonly near: readonly Scenario[];
}

/** The parts of a synthesised deployment that decide what happens to it. */
export const deployedResources = (template: Template): DeployedResources => {
  const { Environment } = only(template, 'AWS::Lambda::Function', 'ReceiveCallback');

  return {
    deployment: Environment.Variables.DEPLOYMENT,
    queue: only(template, 'AWS::SQS::Queue', 'ParkingQueue'),
    subscriptions: {
      Calls: only(template, 'AWS::Lambda::EventSourceMapping', 'PublishChangesServiceFunctionCalls'),
      Agents: only(template, 'AWS::Lambda::EventSourceMapping', 'PublishChangesServiceFunctionAgents'),
    },
    accessLog: {
      format: only(template, 'AWS::ApiGatewayV2::Stage', 'Api')['AccessLogSettings'].Format,
      filter: only(template, 'AWS::Logs::MetricFilter', 'Api'),
    },
  };
};
