import { metricNamespace } from '../../../lib/telemetry/metrics.ts';
import { sourceFiles } from '../../support/repository-files.ts';
import { type WatchedMetric, watchedMetrics } from '../monitoring/watched-metrics.ts';
import { resourcesOf } from '../support/resources.ts';
import { nameOf, type Properties, plain, propertiesOf } from '../support/template.ts';
import { findingsAt, type StackRule, type Synthesised } from './rule.ts';

/** A metric of AWS: the statistic that says something, and its one dimension, an attribute of a resource of this type. */
interface AwsMetric {
  readonly statistic: string;
  readonly dimension: string;
  readonly type: string;
  readonly attribute: string;
  /** Whether a resource emits it, if not each does. */
  readonly isEmitted?: (resource: Properties) => boolean;
}

const ofQueue = { dimension: 'QueueName', type: 'AWS::SQS::Queue', attribute: 'QueueName' };

/**
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 * https://docs.aws.amazon.com/firehose/latest/dev/monitoring-with-cloudwatch-metrics.html
 */
const ofAws: Readonly<Record<string, AwsMetric>> = {
  'AWS/ApiGateway 5xx': { statistic: 'Sum', dimension: 'ApiId', type: 'AWS::ApiGatewayV2::Api', attribute: 'Ref' },
  'AWS/SQS ApproximateNumberOfMessagesVisible': { statistic: 'Maximum', ...ofQueue },
  'AWS/SQS ApproximateNumberOfMessagesNotVisible': { statistic: 'Maximum', ...ofQueue },
  'AWS/SQS NumberOfMessagesReceived': { statistic: 'Sum', ...ofQueue },
  'AWS/Lambda IteratorAge': {
    statistic: 'Maximum',
    dimension: 'FunctionName',
    type: 'AWS::Lambda::Function',
    attribute: 'Ref',
  },
  'AWS/Lambda OnFailureDestinationDeliveredEventCount': {
    statistic: 'Sum',
    dimension: 'EventSourceMappingUUID',
    type: 'AWS::Lambda::EventSourceMapping',
    attribute: 'Ref',
    isEmitted: ({ MetricsConfig, DestinationConfig }) =>
      MetricsConfig?.Metrics.includes('EventCount') === true && DestinationConfig?.OnFailure !== undefined,
  },
  'AWS/Firehose ExecuteProcessing.Success': {
    statistic: 'Minimum',
    dimension: 'DeliveryStreamName',
    type: 'AWS::KinesisFirehose::DeliveryStream',
    attribute: 'Ref',
  },
};

/** Which statistics say something of a metric of ours: how much or how often was counted, and the greatest measure. */
const ofCallfeed = { counter: ['Sum', 'SampleCount'], gauge: ['Maximum'] } as const;

/** Every metric that the code declares, by its name, as a counter or a gauge. */
const declared = new Map(
  sourceFiles('lib', 'functions', 'cdk')
    .flatMap(({ text }) => [...text.matchAll(/\b(counter|gauge)\('(\w+)'\)/g)])
    .map(([, kind = '', name = '']) => [name, kind === 'gauge' ? 'gauge' : 'counter'] as const),
);

const alarmsOf = ({ template }: Synthesised) =>
  Object.entries(propertiesOf(template, 'AWS::CloudWatch::Alarm')).map(([id, alarm]) => ({
    name: plain(id).replace('Monitoring', ''),
    alarm,
    metrics: watchedMetrics(alarm),
  }));

const problemOf = (synthesised: Synthesised, metric: WatchedMetric): string | undefined => {
  const { namespace, metric: name, dimensions, statistic } = metric;
  const [[dimension, value = ''] = ['none'], ...others] = Object.entries(dimensions);
  if (others.length > 0) return 'has two dimensions';
  if (namespace === metricNamespace) {
    const kind = declared.get(name);
    if (kind === undefined) return 'is declared nowhere';
    if (!ofCallfeed[kind].some((allowed) => allowed === statistic))
      return `is a ${kind}, of which ${statistic} says nothing`;
    const functions = Object.values(propertiesOf(synthesised.template, 'AWS::Lambda::Function'));
    const emitted = new Set(functions.map(({ Environment }) => Environment.Variables.DEPLOYMENT));
    return dimension === 'deployment' && emitted.size === 1 && emitted.has(value)
      ? undefined
      : `is emitted for ${[...emitted]}, and read for ${dimension} ${value}`;
  }
  const documented = ofAws[`${namespace} ${name}`];
  if (documented === undefined) return 'is not among the documented ones above: add it there';
  if (statistic !== documented.statistic) return `has the statistic ${statistic} for ${documented.statistic}`;
  if (dimension !== documented.dimension) return `has the dimension ${dimension} for ${documented.dimension}`;
  const [found] = Object.entries(resourcesOf(synthesised.template)).filter(
    ([id, { Type }]) => Type === documented.type && value === `${plain(id)}.${documented.attribute}`,
  );
  if (found === undefined)
    return `has ${dimension} ${value}, which is not ${documented.attribute} of a ${documented.type}`;
  return documented.isEmitted?.(found[1].Properties ?? {}) === false ? 'is not emitted, by its settings' : undefined;
};

export const alarmsReadWhatIsEmitted: StackRule = (synthesised) => {
  const read = alarmsOf(synthesised).flatMap(({ name, metrics }) =>
    Object.values(metrics).map((metric) => ({ name, metric })),
  );
  return findingsAt(read, ({ name, metric }) => {
    const problem = problemOf(synthesised, metric);
    return problem && `${metric.namespace} ${metric.metric} of ${name} ${problem}`;
  });
};

export const expressionsUseTheirMetrics: StackRule = (synthesised) => {
  const expressions = alarmsOf(synthesised).flatMap(({ name, alarm, metrics }) => {
    const all: readonly Properties[] = alarm['Metrics'] ?? [];
    const expression = all.find(({ Expression }) => Expression !== undefined);
    return expression === undefined ? [] : [{ name, expression, metrics }];
  });
  return findingsAt(expressions, ({ name, expression, metrics }) => {
    const used = new Set(String(expression['Expression']).match(/\b[a-z]\w*\b/g));
    const periods = new Set(Object.values(metrics).map(({ periodSeconds }) => periodSeconds));
    if ([...used].toSorted().join() !== Object.keys(metrics).toSorted().join())
      return `${name} has ${Object.keys(metrics)}, and uses ${[...used]}`;
    return periods.size === 1 && expression['ReturnData'] !== false
      ? undefined
      : `${name} compares periods of ${[...periods]} seconds`;
  });
};

const described = (metric: WatchedMetric): string =>
  `${metric.statistic} over ${metric.periodSeconds} s of ${metric.namespace} ${metric.metric} ${Object.entries(metric.dimensions)}`;

/** A row of a graph: namespace, name, the dimensions, and options, without which CloudWatch draws the average of five minutes. */
const rowOf = (row: readonly unknown[]): WatchedMetric => {
  const names = row.filter((part) => typeof part === 'string');
  const [namespace = '', metric = '', ...dimensions] = names;
  const { stat: statistic = 'Average', period: periodSeconds = 300 } = Object(row.at(-1));
  const pairs = dimensions.flatMap((name, index) => (index % 2 === 0 ? [[name, dimensions[index + 1]]] : []));
  return { namespace, metric, dimensions: Object.fromEntries(pairs), statistic, periodSeconds };
};

export const graphsShowAlarms: StackRule = (synthesised) => {
  const [dashboard] = Object.values(propertiesOf(synthesised.template, 'AWS::CloudWatch::Dashboard'));
  if (dashboard === undefined) return { places: 0, broken: [] };
  const graphs: readonly Properties[] = JSON.parse(nameOf(dashboard['DashboardBody'])).widgets.map(
    ({ properties }: Properties) => properties,
  );
  const alarms = alarmsOf(synthesised).map(({ name, alarm, metrics }) => ({
    title: name,
    rows: Object.values(metrics).map(described).toSorted(),
    // The expression of an alarm is 0 or 1, and its graph has what it compares.
    threshold: alarm['Metrics']?.some(({ Expression }: Properties) => Expression) ? undefined : alarm['Threshold'],
  }));
  const drawn = graphs.map(({ title, metrics, annotations }) => ({
    title,
    rows: metrics
      .filter((row: readonly unknown[]) => Object(row.at(-1)).visible !== false)
      .map((row: readonly unknown[]) => described(rowOf(row)))
      .toSorted(),
    threshold: annotations?.horizontal[0].value,
  }));

  return findingsAt([...new Set([...alarms, ...drawn].map(({ title }) => title))], (title) => {
    const describedIn = (all: typeof alarms) => JSON.stringify(all.find((one) => one.title === title));
    const alarm = describedIn(alarms);
    const graph = describedIn(drawn);
    return alarm === graph ? undefined : `${title} is drawn as ${graph}, and judged by ${alarm}`;
  });
};
