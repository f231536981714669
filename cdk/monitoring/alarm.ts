import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** What an alarm watches, and what everybody who is woken by it needs to know. There is none without either. */
export interface AlarmSpec {
  /** Who is hurt and how, as a sentence. */
  readonly impact: string;
  /** The section of the runbook that helps. */
  readonly runbook: string;
  readonly metric: IMetric;
  /** Raised at this value and above; with `below` under it. */
  readonly threshold: number;
  readonly below?: true;
  /** For how many periods of the metric in a row; one, if nothing is said. */
  readonly periods?: number;
  /** Whether no data is bad news. */
  readonly missingIsBad?: true;
}

/** Where alarms go, and where their runbook is. */
export interface AlarmTarget {
  readonly topic: ITopic;
  readonly runbook: string;
}

/** The text of an alarm. */
const descriptionOf = ({ impact, runbook }: AlarmSpec, home: AlarmTarget): string => {
  if (impact.trim() === '' || runbook.trim() === '')
    throw new Error('An alarm needs its impact and its runbook section');

  return `${impact} What to do: ${home.runbook}#${runbook}`;
};

/** An alarm that says who is hurt and what to do, and tells when it is over. */
export const alarm = (scope: Construct, id: string, spec: AlarmSpec, home: AlarmTarget): Alarm => {
  const raised = new Alarm(scope, id, {
    alarmDescription: descriptionOf(spec, home),
    metric: spec.metric,
    threshold: spec.threshold,
    evaluationPeriods: spec.periods ?? 1,
    comparisonOperator: spec.below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: spec.missingIsBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  const action = new SnsAction(home.topic);
  raised.addAlarmAction(action);
  raised.addOkAction(action);

  return raised;
};
