import type { Template } from 'aws-cdk-lib/assertions';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import type { FunctionName } from '../../../functions/limits.ts';
import { type Deployment, type DeploymentOptions, deployment } from '../../deployment/index.ts';
import { manualClock } from '../../support/memory-ports.ts';
import { nameOf, only, statementsOf } from '../support/template.ts';

/** Values that CloudWatch received for a metric at an instant. Namespace, name and all dimensions identify a metric. */
export interface MetricDatum {
  readonly at: number;
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly values: readonly number[];
}

/** The metric data of a scenario, from one instant to another. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly data: readonly MetricDatum[];
}

/** Several runs at the same time. */
export const combinedRuns = (...runs: readonly Run[]): Run => ({
  from: Math.min(...runs.map(({ from }) => from)),
  to: Math.max(...runs.map(({ to }) => to)),
  data: runs.flatMap(({ data }) => data),
});

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

/** The metrics that CloudWatch extracts from a line of a function's log (embedded metric format). */
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

/** Records metrics with the time of a clock: those in the functions' logs, and those of AWS itself. */
export const metricRecorder = (clock: () => Date, { deployment }: Pick<DeployedResources, 'deployment'>) => {
  const data: MetricDatum[] = [];
  const now = () => clock().getTime();
  const from = now();
  const log = (line: string): void => void data.push(...metricDataIn(line, now()));

  return {
    log,
    /** The telemetry of a function as it is deployed. */
    telemetryOf: (name: FunctionName) => jsonTelemetry({ function: name, deployment }, log),
    /**
     * Records a metric that AWS itself would emit, by the name and the dimension that it documents:
     * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
     * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
     * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
     */
    aws: (namespace: string, metric: string, dimensions: MetricDatum['dimensions'], value: number) =>
      data.push({ at: now(), namespace, metric, dimensions, values: [value] }),
    /** Records the error that Lambda counts for a run that crashes. */
    crashed: (id: string) => {
      const dimensions = { FunctionName: `${id}ServiceFunction.Ref` };
      data.push({ at: now(), namespace: 'AWS/Lambda', metric: 'Errors', dimensions, values: [1] });
    },
    run: (): Run => ({ from, to: now(), data }),
  };
};

/** The functions as deployed, with everything around them in memory, and a record of their metrics. */
export const recordedDeployment = async (deployed: DeployedResources, options: DeploymentOptions) => {
  const d = await deployment({ ...options, monitored: deployed, onLine: (line) => recorder.log(line) });
  const recorder = metricRecorder(() => new Date(d.now()), deployed);

  return { ...recorder, d };
};

/** Does something while something else happens to a deployment. */
export type During = (d: Deployment, act: () => Promise<void>) => Promise<void>;

/** A function's work that fails unexpectedly. */
export const crash = () => {
  throw new Error('crash');
};

export type Recorder = ReturnType<typeof metricRecorder>;

/** A function's work fails unexpectedly. AWS notices it only if the handler fails too. */
export const crashing =
  (invoke: (recorder: Recorder) => Promise<unknown>, noticed: (recorder: Recorder) => void): Cause =>
  async (deployed) => {
    const time = manualClock('2026-11-20T06:00:00.000Z');
    const recorder = metricRecorder(time.clock, deployed);
    await invoke(recorder).catch(() => noticed(recorder));
    time.advance(6 * 60_000);
    return recorder.run();
  };

/** Runs the real code in a situation. */
export type Cause = (of: DeployedResources) => Promise<Run>;

/** Something that happens to a deployment. */
export interface Scenario {
  /** The alarms that it raises; it raises no other. */
  readonly raises: readonly string[];
  /** A sentence that describes it. */
  readonly what: string;
  readonly cause: Cause;
  /** The part whose schedule runs in it. A part that does not run raises an alarm by its silence, which is not looked at then. */
  readonly scheduled?: 'poller' | 'reconciliation' | undefined;
}

/** Makes scenarios of situations that differ in their settings. */
export const scenariosOf =
  <Setting>(run: (deployed: DeployedResources, setting: Setting) => Promise<Run>, scheduled?: Scenario['scheduled']) =>
  (raises: readonly string[], what: string, setting: Setting): Scenario => ({
    raises,
    what,
    scheduled,
    cause: (deployed) => run(deployed, setting),
  });

/** The parts of a synthesised deployment that decide how a scenario ends. */
export const deployedResources = (template: Template) => {
  const { Environment } = only(template, 'AWS::Lambda::Function', 'ReceiveCallback');
  const { DeadLetterConfig } = only(template, 'AWS::Events::EventBus', 'Bus');
  const [, sender] = statementsOf(only(template, 'AWS::SQS::QueuePolicy', 'BusDeadLetters'));

  return {
    deployment: String(Environment.Variables.DEPLOYMENT),
    queue: only(template, 'AWS::SQS::Queue', 'ParkingQueue'),
    subscriptions: {
      Calls: only(template, 'AWS::Lambda::EventSourceMapping', 'PublishChangesServiceFunctionCalls'),
      Agents: only(template, 'AWS::Lambda::EventSourceMapping', 'PublishChangesServiceFunctionAgents'),
    },
    /** Where the bus puts events that it cannot encrypt, and the statement that lets it. */
    busDeadLetters: { name: nameOf(DeadLetterConfig.Arn).replace('.Arn', '.QueueName'), sender },
    /** The format of the API's log, and the filter that counts in it. */
    accessLog: {
      format: String(only(template, 'AWS::ApiGatewayV2::Stage', 'Api')['AccessLogSettings'].Format),
      filter: only(template, 'AWS::Logs::MetricFilter', 'Api'),
    },
  };
};

export type DeployedResources = ReturnType<typeof deployedResources>;
