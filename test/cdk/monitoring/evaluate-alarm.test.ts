import { describe, expect, it } from 'vitest';
import { isRaised } from './evaluate-alarm.ts';
import type { Run } from './scenario.ts';

const dimensions = { deployment: 'a' };
const minute = 60_000;

/** The values of a metric, one a minute; undefined means no data. */
const ofMinutes = (...values: readonly (number | undefined)[]): Run => ({
  from: 0,
  to: values.length * minute - 1,
  data: values.flatMap((value, index) =>
    value === undefined ? [] : [{ at: index * minute, namespace: 'N', metric: 'M', dimensions, values: [value] }],
  ),
});

const alarm = {
  Namespace: 'N',
  MetricName: 'M',
  Dimensions: [{ Name: 'deployment', Value: 'a' }],
  Statistic: 'Sum',
  Period: 60,
  Threshold: 3,
  EvaluationPeriods: 2,
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  TreatMissingData: 'notBreaching',
};
const { Namespace, MetricName, Dimensions, Statistic: Stat, Period, ...rest } = alarm;
const Metric = { Namespace, MetricName, Dimensions };
const expression = {
  ...rest,
  EvaluationPeriods: 1,
  Metrics: [
    { Id: 'e', Expression: 'IF(FILL(m, 0) >= 3 AND FILL(n, 0) < 1, 3, 0)', ReturnData: true },
    { Id: 'm', ReturnData: false, MetricStat: { Metric, Stat, Period } },
    { Id: 'n', ReturnData: false, MetricStat: { Metric: { ...Metric, MetricName: 'N' }, Stat, Period } },
  ],
};

// The faults and near misses in faults.test.ts cover the rest.
describe('an alarm is', () => {
  it.each([
    ['raised at the threshold in enough periods in a row', alarm, ofMinutes(0, 3, 3), true],
    ['not raised if a good period is between', alarm, ofMinutes(3, 0, 3), false],
    ['not raised if a period without data is between', alarm, ofMinutes(3, undefined, 3), false],
    ['not raised by another namespace', { ...alarm, Namespace: 'AWS' }, ofMinutes(3, 3), false],
    ['not raised by a metric with more dimensions', { ...alarm, Dimensions: [] }, ofMinutes(3, 3), false],
    ['not raised by an expression over no data', expression, ofMinutes(undefined), false],
  ])('%s', (_rule, of, run, expected) => {
    expect(isRaised(of, run)).toBe(expected);
  });

  it('not evaluated if the result depends on how FILL treats a metric without data', () => {
    expect(() => isRaised(expression, ofMinutes(3))).toThrow('FILL');
  });
});
