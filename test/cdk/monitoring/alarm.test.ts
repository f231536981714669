import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { type AlarmSpec, alarm } from '../../../cdk/monitoring/alarm.ts';
import { appFor } from '../support/synthesise.ts';
import { someOf } from '../support/template.ts';

const spec: AlarmSpec = {
  impact: 'Somebody is hurt.',
  runbook: 'what-hurts',
  metric: new Metric({ namespace: 'N', metricName: 'M' }),
  threshold: 1,
};

const app = appFor();
let stacks = 0;

const build = (of: AlarmSpec) => {
  const stack = new Stack(app, `Stack${++stacks}`);
  alarm(stack, 'Alarm', of, { topic: new Topic(stack, 'Topic'), runbook: 'RUNBOOK.md' });
  return stack;
};

describe('an alarm', () => {
  const template = Template.fromStack(build(spec));

  it('is built with its impact and its section of the runbook', () => {
    const [[, { AlarmDescription }] = ['', { AlarmDescription: '' }]] = someOf(template, 'AWS::CloudWatch::Alarm');

    expect(AlarmDescription).toBe('Somebody is hurt. What to do: RUNBOOK.md#what-hurts');
  });

  it.each([
    ['without saying who is hurt', { impact: '' }],
    ['with a blank impact', { impact: ' ' }],
    ['without its section of the runbook', { runbook: '' }],
    ['with a blank section', { runbook: ' ' }],
  ])('is not built %s', (_what, lacking) => {
    expect(() => build({ ...spec, ...lacking })).toThrow('An alarm needs its impact and its runbook section');
  });

  it('does not compile without either', () => {
    const { impact, runbook, ...rest } = spec;
    // @ts-expect-error: it does not say who is hurt.
    const withoutImpact: AlarmSpec = { ...rest, runbook };
    // @ts-expect-error: it does not say what to do.
    const withoutRunbook: AlarmSpec = { ...rest, impact };

    for (const lacking of [withoutImpact, withoutRunbook]) expect(() => build(lacking)).toThrow();
  });
});
