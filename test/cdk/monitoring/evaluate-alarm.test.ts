import { describe, expect, it } from 'vitest';
import { isRaised } from './evaluate-alarm.ts';
import { combinedRuns, type Run } from './scenario.ts';

const dimensions = { deployment: 'a' };
const minute = 60_000;

/** A minute's values of a metric, minute by minute; none is no data. */
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
const missingIsBad = {
  ...alarm,
  ComparisonOperator: 'LessThanThreshold',
  TreatMissingData: 'breaching',
  EvaluationPeriods: 1,
};
const expression = {
  ...alarm,
  EvaluationPeriods: 1,
  Metrics: [
    { Id: 'e', Expression: 'IF(FILL(m, 0) >= 3 AND FILL(n, 0) < 1, 3, 0)', ReturnData: true },
    ...['m', 'n'].map((Id) => ({
      Id,
      ReturnData: false,
      MetricStat: {
        Metric: { Namespace: 'N', MetricName: Id.toUpperCase(), Dimensions: alarm.Dimensions },
        Stat: 'Sum',
        Period: 60,
      },
    })),
  ],
};

const either = {
  ...expression,
  Metrics: [
    { Id: 'e', Expression: 'IF((FILL(m, 0) >= 3 OR FILL(n, 0) >= 1) AND FILL(m, 0) > 1, 3, 0)', ReturnData: true },
    ...expression.Metrics.slice(1),
  ],
};

/** The same values, of another metric. */
const named = (metric: string, run: Run): Run => ({ ...run, data: run.data.map((datum) => ({ ...datum, metric })) });
const none = named('N', ofMinutes(0));

describe('an alarm is', () => {
  it.each([
    ['raised at the threshold, in as many periods in a row as it says', alarm, ofMinutes(0, 3, 3), true],
    ['not raised below it', alarm, ofMinutes(2, 2), false],
    ['not raised where a good period lies between', alarm, ofMinutes(3, 0, 3), false],
    ['not raised where a period without data lies between', alarm, ofMinutes(3, undefined, 3), false],
    ['not raised in fewer periods than it takes', alarm, ofMinutes(3), false],
    ['raised without data, if that is bad', missingIsBad, ofMinutes(3, undefined), true],
    ['not raised with data, if that is good', missingIsBad, ofMinutes(3, 4), false],
    ['raised by an expression', expression, combinedRuns(ofMinutes(3), none), true],
    ['not raised by an expression that is not so', expression, combinedRuns(ofMinutes(2), none), false],
    ['not raised by an expression over no data', expression, ofMinutes(undefined), false],
    ['raised by the one or the other', either, combinedRuns(ofMinutes(2), named('N', ofMinutes(1))), true],
    ['not raised by neither', either, combinedRuns(ofMinutes(2), none), false],
    ['blind to metrics of another name', { ...alarm, MetricName: 'm' }, ofMinutes(3, 3), false],
    ['blind to metrics of another namespace', { ...alarm, Namespace: 'AWS' }, ofMinutes(3, 3), false],
    [
      'blind to metrics of another deployment',
      { ...alarm, Dimensions: [{ Name: 'deployment', Value: 'b' }] },
      ofMinutes(3, 3),
      false,
    ],
    ['blind to metrics of more dimensions than it names', { ...alarm, Dimensions: [] }, ofMinutes(3, 3), false],
  ])('%s', (_rule, of, run, expected) => {
    expect(isRaised(of, run)).toBe(expected);
  });

  it('not judged where that hangs on how a metric without data is filled in', () => {
    expect(() => isRaised(expression, ofMinutes(3))).toThrow('FILL');
  });
});
