import { Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type loggedMetric, type Metric as MetricName, metricNamespace } from '../../lib/telemetry/metrics.ts';

/** What an alarm watches, and its text. The construct that can fail declares it, so that a mail says who is hurt. */
export interface AlarmSpec {
  /** Who is affected and how, in one to three sentences. */
  readonly impact: string;
  /** The command of `npx callfeed` to run first, without its deployment; default `status`. */
  readonly first?: string;
  readonly metric: IMetric;
  /** The alarm is raised at this value and above, or with `below` under it. */
  readonly threshold: number;
  readonly below?: true;
  /** How many periods in a row must breach the threshold; default 1. */
  readonly periods?: number;
  readonly raisedWithoutData?: true;
  /** The heading in the runbook where several alarms share one; by default the alarm's own. */
  readonly section?: string;
}

/** Alarms by their ids, which fix their names in AWS. */
export type Alarms = Readonly<Record<string, AlarmSpec>>;

export interface AlarmTarget {
  readonly topic: ITopic;
  readonly runbookUrl: string | undefined;
}

/** An alarm that notifies the topic when it is raised and when it is over. */
export const alarm = (scope: Construct, id: string, spec: AlarmSpec, { topic, runbookUrl }: AlarmTarget): Alarm => {
  const first = `First: npx callfeed ${spec.first ?? 'status'} --stack ${Stack.of(scope).stackName}`;
  const created = new Alarm(scope, id, {
    alarmDescription: [
      spec.impact,
      first,
      ...(runbookUrl === undefined ? [] : [`${runbookUrl}#${anchorOf(id, spec)}`]),
    ].join('\n'),
    metric: spec.metric,
    threshold: spec.threshold,
    evaluationPeriods: spec.periods ?? 1,
    comparisonOperator: spec.below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: spec.raisedWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  const action = new SnsAction(topic);
  created.addAlarmAction(action);
  created.addOkAction(action);

  return created;
};

/** The anchor of an alarm's section in the runbook: `callbacks-fail` for `CallbacksFail`. */
const anchorOf = (id: string, { section = id.replaceAll(/(?<!^)[A-Z]/g, ' $&') }: AlarmSpec): string =>
  section.toLowerCase().replaceAll(' ', '-');

/** The period of AWS's own metrics. */
export const fiveMinutes = { period: Duration.minutes(5) };

/** For what stays until somebody acts: an alarm that ends after minutes would look as if somebody had. */
export const aDay = { period: Duration.days(1) };

interface MetricView {
  readonly statistic?: string;
  readonly minutes?: number;
  readonly label?: string;
}

/** A metric of Callfeed, by default its sum over five minutes. */
export const callfeedMetric = (
  { deployment }: { readonly deployment: string },
  metricName: MetricName | typeof loggedMetric,
  { statistic = 'Sum', minutes = 5, label = metricName }: MetricView = {},
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { deployment },
    statistic,
    period: Duration.minutes(minutes),
    label,
  });

export const waitingIn = (queue: IQueue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ ...fiveMinutes, statistic: 'Maximum' });
