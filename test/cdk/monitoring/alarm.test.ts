import { Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { type AlarmSpec, alarm } from '../../../cdk/monitoring/alarm.ts';
import { appFor } from '../support/synthesise.ts';

const spec: AlarmSpec = {
  impact: 'Callbacks fail.',
  runbook: 'callbacks-fail',
  metric: new Metric({ namespace: 'N', metricName: 'M' }),
  threshold: 1,
};

const app = appFor();
let stacks = 0;

const build = (of: AlarmSpec) => {
  const stack = new Stack(app, `Stack${++stacks}`);
  return alarm(stack, 'Alarm', of, { topic: new Topic(stack, 'Topic'), runbook: 'RUNBOOK.md' });
};

describe('an alarm', () => {
  it.each([
    ['without an impact', { impact: '' }],
    ['with a blank impact', { impact: ' ' }],
    ['without a runbook section', { runbook: '' }],
    ['with a blank section', { runbook: ' ' }],
  ])('is not created %s', (_what, lacking) => {
    expect(() => build({ ...spec, ...lacking })).toThrow('An alarm needs an impact and a runbook section');
  });

  it('does not compile without either', () => {
    const { impact, runbook, ...rest } = spec;
    // @ts-expect-error: the impact is missing.
    const withoutImpact: AlarmSpec = { ...rest, runbook };
    // @ts-expect-error: the runbook section is missing.
    const withoutRunbook: AlarmSpec = { ...rest, impact };

    for (const lacking of [withoutImpact, withoutRunbook]) expect(() => build(lacking)).toThrow();
  });
});
