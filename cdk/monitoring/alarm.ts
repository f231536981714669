import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** What an alarm watches, and its text for the operator. No alarm is created without impact and runbook section. */
export interface AlarmSpec {
  /** Who is affected and how, in one or two sentences. */
  readonly impact: string;
  /** The anchor of the section in the runbook. */
  readonly runbook: string;
  readonly metric: IMetric;
  /** The alarm is raised at this value and above, or with `below` under it. */
  readonly threshold: number;
  readonly below?: true;
  /** How many periods in a row must breach the threshold; default 1. */
  readonly periods?: number;
  /** Whether a period without data breaches the threshold. */
  readonly raisedWithoutData?: true;
}

/** The topic that receives alarms, and where the runbook is. */
export interface AlarmTarget {
  readonly topic: ITopic;
  readonly runbook: string;
}

/** An alarm that names its impact and its runbook section. It notifies the topic when it is raised and when it is over. */
export const alarm = (scope: Construct, id: string, spec: AlarmSpec, target: AlarmTarget): Alarm => {
  const created = new Alarm(scope, id, {
    alarmDescription: `${spec.impact} What to do: ${target.runbook}#${spec.runbook}`,
    metric: spec.metric,
    threshold: spec.threshold,
    evaluationPeriods: spec.periods ?? 1,
    comparisonOperator: spec.below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: spec.raisedWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  const action = new SnsAction(target.topic);
  created.addAlarmAction(action);
  created.addOkAction(action);

  return created;
};
