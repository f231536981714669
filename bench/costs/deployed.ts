import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, Stage } from 'aws-cdk-lib';
import * as z from 'zod';
import { synthesiseStack } from '../../cdk/callfeed-stack.ts';
import { type MonitoringMode, monitoringModes } from '../../lib/telemetry/metrics.ts';
import type { Subscription } from './metered-functions.ts';

/** Types of resources that are free, or free as long as nothing fails. */
const unpriced: readonly string[] = [
  ...['AWS::ApiGatewayV2::Api', 'AWS::ApiGatewayV2::Integration', 'AWS::ApiGatewayV2::Route', 'AWS::CDK::Metadata'],
  ...['AWS::Events::EventBusPolicy', 'AWS::Events::Rule', 'AWS::EventSchemas::Registry', 'AWS::EventSchemas::Schema'],
  ...['AWS::IAM::Policy', 'AWS::IAM::Role', 'AWS::KMS::Alias', 'AWS::Lambda::Permission', 'AWS::Logs::MetricFilter'],
  ...['AWS::Logs::QueryDefinition', 'AWS::Logs::ResourcePolicy', 'AWS::S3::Bucket', 'AWS::S3::BucketPolicy'],
  ...[
    'AWS::SNS::Subscription',
    'AWS::SNS::Topic',
    'AWS::SNS::TopicPolicy',
    'AWS::SQS::QueuePolicy',
    'AWS::SSM::Parameter',
  ],
];

export interface Deployed {
  readonly deployment: string;
  readonly subscription: Subscription;
  readonly memoryMegabytes: number;
  /** The length of a line of the access log, which is about that of its pattern. */
  readonly accessLogBytes: number;
  readonly logDays: number;
  /** The retention of the archive of events; 0 without an archive. */
  readonly archiveDays: number;
  readonly servedQueues: number;
  readonly schedules: number;
  readonly isTraced: boolean;
  readonly alarmMetrics: number;
  readonly dashboards: number;
  /** Which metrics the functions emit. */
  readonly metrics: MonitoringMode;
  /** Whether the Calls table has the class for infrequent access; the others never do. */
  readonly isInfrequent: boolean;
  readonly secrets: number;
  readonly keys: number;
}

const Mapping = z.object({
  BatchSize: z.number(),
  ParallelizationFactor: z.number().default(1),
  StartingPosition: z.string().optional(),
});
const FunctionShape = z.object({
  MemorySize: z.number(),
  TracingConfig: z.object({ Mode: z.string() }).optional(),
  Environment: z.object({ Variables: z.object({ DEPLOYMENT: z.string(), METRICS: z.enum(monitoringModes) }) }),
});
const ApiStage = z.object({ AccessLogSettings: z.object({ Format: z.string() }) });
const Logs = z.object({ RetentionInDays: z.number() });
const Archive = z.object({ RetentionDays: z.number().min(1) });
const Table = z.object({ Replicas: z.array(z.object({ TableClass: z.string().optional() })) });
const Alarm = z.object({ Metrics: z.array(z.object({ MetricStat: z.unknown().optional() })).optional() });

/** Reads the resources of a stack. Throws for a type of resource that is neither priced nor listed as free. */
export const readDeployed = (resources: readonly Resource[]): Deployed => {
  const unknown = new Set(resources.map(({ Type }) => Type).filter((type) => !known.has(type)));
  if (unknown.size > 0)
    throw new Error(`bench/costs/deployed.ts must list these types as priced or free: ${[...unknown].join(', ')}`);

  const of = <Shape extends z.ZodType>(type: string, shape: Shape): z.output<Shape>[] =>
    resources.filter(({ Type }) => Type === type).map(({ Properties }) => shape.parse(Properties));
  const count = (type: string): number => of(type, z.unknown()).length;

  const mappings = of('AWS::Lambda::EventSourceMapping', Mapping);
  const streams = mappings.filter(({ StartingPosition }) => StartingPosition !== undefined);
  const functions = of('AWS::Lambda::Function', FunctionShape);
  return {
    deployment: functions[0]?.Environment.Variables.DEPLOYMENT ?? '',
    subscription: {
      batchSize: Math.min(...streams.map(({ BatchSize }) => BatchSize)),
      parallelizationFactor: Math.max(...streams.map(({ ParallelizationFactor }) => ParallelizationFactor)),
    },
    memoryMegabytes: Math.max(...functions.map(({ MemorySize }) => MemorySize)),
    accessLogBytes: Math.max(
      ...of('AWS::ApiGatewayV2::Stage', ApiStage).map((stage) => stage.AccessLogSettings.Format.length),
    ),
    logDays: Math.max(...of('AWS::Logs::LogGroup', Logs).map(({ RetentionInDays }) => RetentionInDays)),
    archiveDays: Math.max(0, ...of('AWS::Events::Archive', Archive).map(({ RetentionDays }) => RetentionDays)),
    servedQueues: mappings.length - streams.length,
    schedules: count('AWS::Scheduler::Schedule'),
    isTraced: functions.some(({ TracingConfig }) => TracingConfig?.Mode === 'Active'),
    alarmMetrics: of('AWS::CloudWatch::Alarm', Alarm).reduce((metrics, alarm) => metrics + metricsOf(alarm), 0),
    dashboards: count('AWS::CloudWatch::Dashboard'),
    metrics: functions[0]?.Environment.Variables.METRICS ?? 'full',
    isInfrequent: of('AWS::DynamoDB::GlobalTable', Table).some(({ Replicas }) =>
      Replicas.some(({ TableClass }) => TableClass === 'STANDARD_INFREQUENT_ACCESS'),
    ),
    secrets: count('AWS::SecretsManager::Secret'),
    keys: count('AWS::KMS::Key'),
  };
};

/** An alarm on an expression is charged for each metric in it. */
const metricsOf = ({ Metrics }: z.output<typeof Alarm>): number =>
  Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;

const priced = [
  ...['AWS::ApiGatewayV2::Stage', 'AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard'],
  ...['AWS::DynamoDB::GlobalTable', 'AWS::Events::Archive', 'AWS::Events::EventBus', 'AWS::KMS::Key'],
  ...['AWS::Lambda::EventSourceMapping', 'AWS::Lambda::Function', 'AWS::Logs::LogGroup', 'AWS::SQS::Queue'],
  ...['AWS::Scheduler::Schedule', 'AWS::SecretsManager::Secret'],
];

const known: ReadonlySet<string> = new Set([...priced, ...unpriced]);

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
});

export type Resource = z.output<typeof Template>['Resources'][string];

export const synthesisedResources = (): readonly Resource[] => {
  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-costs-'));
  try {
    const stack = synthesiseStack({ settingsFile: '' }, outdir);
    if (!stack.ok) throw new Error(stack.problem.join('\n'));

    const { template } = synthesisOf(stack.value).getStackByName(stack.value.stackName);
    return Object.values(Template.parse(template).Resources);
  } finally {
    // Synchronously, so that no signal can interrupt it.
    rmSync(outdir, { recursive: true });
  }
};

const synthesisOf = (stack: Stack) => {
  const app = Stage.of(stack);
  if (app === undefined) throw new Error(`${stack.node.path} belongs to no app`);
  return app.synth();
};
