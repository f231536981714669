import * as z from 'zod';
import type { Subscription } from './publisher.ts';
import type { Resource } from './template.ts';
import { unpriced } from './unpriced.ts';

/** What of the stack decides about costs. */
export interface Deployed {
  /** By which metrics tell this deployment from others. */
  readonly deployment: string;
  readonly subscription: Subscription;
  readonly memoryMegabytes: number;
  /** A line of the access log is about as long as its pattern. */
  readonly accessLogBytes: number;
  readonly logDays: number;
  /** For how many days events are archived; 0: they are not. */
  readonly archiveDays: number;
  /** Queues that Lambda looks into. */
  readonly servedQueues: number;
  readonly schedules: number;
  readonly isTraced: boolean;
  readonly alarmMetrics: number;
  readonly dashboards: number;
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
  Environment: z.object({ Variables: z.object({ DEPLOYMENT: z.string() }) }),
});
const Stage = z.object({ AccessLogSettings: z.object({ Format: z.string() }) });
const Logs = z.object({ RetentionInDays: z.number() });
const Archive = z.object({ RetentionDays: z.number().min(1) });
const Alarm = z.object({ Metrics: z.array(z.object({ MetricStat: z.unknown().optional() })).optional() });

/** Reads the resources of a stack. Throws for a kind of resource of which nobody has said yet what it costs. */
export const deployedIn = (resources: readonly Resource[]): Deployed => {
  const unknown = new Set(resources.map(({ Type }) => Type).filter((type) => !known.has(type)));
  if (unknown.size > 0) throw new Error(`Say in bench/costs what these cost: ${[...unknown].join(', ')}`);

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
      lanes: Math.max(...streams.map(({ ParallelizationFactor }) => ParallelizationFactor)),
    },
    memoryMegabytes: Math.max(...functions.map(({ MemorySize }) => MemorySize)),
    accessLogBytes: Math.max(
      ...of('AWS::ApiGatewayV2::Stage', Stage).map((stage) => stage.AccessLogSettings.Format.length),
    ),
    logDays: Math.max(...of('AWS::Logs::LogGroup', Logs).map(({ RetentionInDays }) => RetentionInDays)),
    archiveDays: Math.max(0, ...of('AWS::Events::Archive', Archive).map(({ RetentionDays }) => RetentionDays)),
    servedQueues: mappings.length - streams.length,
    schedules: count('AWS::Scheduler::Schedule'),
    isTraced: functions.some(({ TracingConfig }) => TracingConfig?.Mode === 'Active'),
    alarmMetrics: of('AWS::CloudWatch::Alarm', Alarm).reduce((metrics, alarm) => metrics + metricsOf(alarm), 0),
    dashboards: count('AWS::CloudWatch::Dashboard'),
    secrets: count('AWS::SecretsManager::Secret'),
    keys: count('AWS::KMS::Key'),
  };
};

/** An alarm on an expression is charged for each metric in it. */
const metricsOf = ({ Metrics }: z.output<typeof Alarm>): number =>
  Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;

const priced = [
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Events::Archive',
  'AWS::Events::EventBus',
  'AWS::KMS::Key',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Logs::LogGroup',
  'AWS::SQS::Queue',
  'AWS::Scheduler::Schedule',
  'AWS::SecretsManager::Secret',
];

const known: ReadonlySet<string> = new Set([...priced, ...unpriced]);
