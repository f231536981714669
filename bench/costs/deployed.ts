import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stage } from 'aws-cdk-lib';
import * as z from 'zod';
import { synthesiseStack } from '../../cdk/callfeed-stack.ts';
import { metricNamespace } from '../../lib/telemetry/metrics.ts';

/** Types of resources that are priced; and those that are free, or free as long as nothing fails. */
const known = new Set(
  `ApiGatewayV2::Stage CloudWatch::Alarm CloudWatch::Dashboard DynamoDB::GlobalTable Events::Archive Events::EventBus KMS::Key
  Lambda::EventSourceMapping Lambda::Function Logs::LogGroup SQS::Queue Scheduler::Schedule SecretsManager::Secret
  ApiGatewayV2::Api ApiGatewayV2::Integration ApiGatewayV2::Route CDK::Metadata Events::EventBusPolicy Events::Rule
  EventSchemas::Registry EventSchemas::Schema IAM::Policy IAM::Role KMS::Alias Lambda::Permission Logs::MetricFilter
  Logs::QueryDefinition Logs::ResourcePolicy S3::Bucket S3::BucketPolicy SNS::Subscription SNS::Topic SNS::TopicPolicy
  SQS::QueuePolicy SSM::Parameter
  Athena::NamedQuery Athena::WorkGroup Glue::Database Glue::Table KinesisFirehose::DeliveryStream`.split(/\s+/),
);

const MetricName = z.object({ Namespace: z.string(), MetricName: z.string() });

/** What decides the bill in the properties of resources, whatever their type. */
const Properties = z
  .object({
    BatchSize: z.number(),
    ParallelizationFactor: z.number(),
    StartingPosition: z.string(),
    MetricsConfig: z.object({ Metrics: z.array(z.string()) }),
    Environment: z.object({ Variables: z.object({ DEPLOYMENT: z.string() }) }),
    AccessLogSettings: z.object({ Format: z.string() }),
    RetentionInDays: z.number(),
    RetentionDays: z.number().min(1),
    Replicas: z.array(z.object({ TableClass: z.string().optional() })),
    ...MetricName.shape,
    Metrics: z.array(z.object({ MetricStat: z.object({ Metric: MetricName }).optional() })),
    LifecycleConfiguration: z.object({ Rules: z.array(z.object({ ExpirationInDays: z.number().optional() })) }),
  })
  .partial();
const Template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: Properties.default({}) })),
});
type Resource = z.infer<typeof Template>['Resources'][string];

/** What decides the bill of a stack with the default settings. Throws for a type of resource that is neither priced nor listed as free. */
export const readDeployed = () => {
  const resources = resourcesWith({});
  const of = (type: string) => resources.filter(({ Type }) => Type === `AWS::${type}`).map((one) => one.Properties);
  const mappings = of('Lambda::EventSourceMapping');
  const streams = mappings.filter(({ StartingPosition }) => StartingPosition !== undefined);
  const functions = of('Lambda::Function');
  const { DEPLOYMENT: deployment = '' } = functions[0]?.Environment?.Variables ?? {};
  return {
    deployment,
    /** The publisher's batches, and how many of a shard run at the same time. */
    subscription: {
      batchSize: Math.min(...streams.flatMap(({ BatchSize = [] }) => BatchSize)),
      parallelizationFactor: most(streams.map(({ ParallelizationFactor = 1 }) => ParallelizationFactor)),
    },
    /** The length of a line of the access log. The pattern of the line is about as long. */
    accessLogBytes: most(of('ApiGatewayV2::Stage').map((stage) => stage.AccessLogSettings?.Format.length)),
    logDays: most(of('Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays)),
    /** The retention of the archive of events; 0 without an archive. */
    archiveDays: most(of('Events::Archive').map(({ RetentionDays }) => RetentionDays)),
    servedQueues: mappings.length - streams.length,
    countedMappings: mappings.filter(({ MetricsConfig }) => MetricsConfig?.Metrics.includes('EventCount')).length,
    schedules: of('Scheduler::Schedule').length,
    alarmMetrics: alarmMetricsIn(resources),
    /** Callfeed's own metrics. An alarm reads each. */
    ownMetrics: new Set(
      of('CloudWatch::Alarm')
        .flatMap(({ Metrics = [], ...single }) => [single, ...Metrics.map(({ MetricStat }) => MetricStat?.Metric)])
        .filter((metric) => metric?.Namespace === metricNamespace)
        .map((metric) => metric?.MetricName),
    ).size,
    analytics: addedByAnalytics(resources),
    dashboards: of('CloudWatch::Dashboard').length,
    /** Whether the Calls table has the class for infrequent access; the others never do. */
    isInfrequent: of('DynamoDB::GlobalTable').some(({ Replicas }) =>
      Replicas?.some(({ TableClass }) => TableClass === 'STANDARD_INFREQUENT_ACCESS'),
    ),
    secrets: of('SecretsManager::Secret').length,
    keys: of('KMS::Key').length,
  };
};

const most = (values: readonly (number | undefined)[]): number => Math.max(0, ...values.map((value) => value ?? 0));

export type Deployed = ReturnType<typeof readDeployed>;

/** An alarm on an expression is charged for each metric in it. */
const alarmMetricsIn = (resources: readonly Resource[]): number =>
  resources
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    .reduce(
      (all, { Properties: { Metrics } }) =>
        all + (Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1),
      0,
    );

/** What `analytics=on` adds: metrics under alarms, and for how many days rows are kept. */
const addedByAnalytics = (without: readonly Resource[]) => {
  const resources = resourcesWith({ analytics: 'on' });
  const rules = resources.flatMap(({ Properties: { LifecycleConfiguration } }) => LifecycleConfiguration?.Rules ?? []);
  return {
    alarmMetrics: alarmMetricsIn(resources) - alarmMetricsIn(without),
    days: most(rules.map(({ ExpirationInDays }) => ExpirationInDays)),
  };
};

const resourcesWith = (settings: Readonly<Record<string, string>>): readonly Resource[] => {
  const resources = Object.values(Template.parse(synthesised(settings)).Resources);
  const unknown = resources.map(({ Type }) => Type).filter((type) => !known.has(type.replace('AWS::', '')));
  if (unknown.length > 0)
    throw new Error(
      `bench/costs/deployed.ts must list these types as priced or free: ${[...new Set(unknown)].join(', ')}`,
    );
  return resources;
};

const synthesised = (settings: Readonly<Record<string, string>>): unknown => {
  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-costs-'));
  try {
    const stack = synthesiseStack({ settingsFile: '', ...settings }, outdir);
    if (!stack.ok) throw new Error(stack.problem.join('\n'));
    return Stage.of(stack.value)?.synth().getStackByName(stack.value.stackName).template;
  } finally {
    // Synchronously, so that no signal can interrupt it.
    rmSync(outdir, { recursive: true });
  }
};
