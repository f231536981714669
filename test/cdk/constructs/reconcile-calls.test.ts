import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { synthesise } from '../support/synthesise.ts';
import { nameOf, only } from '../support/template.ts';

const templateWith = (context: Readonly<Record<string, string>>): Template => synthesise({ context }).template;

const isOfReconciliation = (id: string): boolean =>
  /^Callfeed(ReconcileCalls|Monitoring(CallbacksMissing|ReconciliationSilent))/.test(id);

/** Resources that show reconciliation besides other things. */
const isShared = (id: string): boolean => /^CallfeedMonitoring(Dashboard|Queries)/.test(id);

const resourcesOf = (template: Template): Readonly<Record<string, object>> => template.toJSON()['Resources'];

describe.each([
  ['hourly', {}, 'cron(17 * * * ? *)', 3_600, 3 * 3_600],
  ['daily', { agentPolling: 'off' }, 'cron(30 5 * * ? *)', 86_400, 86_400],
])('a stack with reconciliation=%s', (reconciliation, others, cron, secondsUntilNext, alarmSeconds) => {
  const template = templateWith({ reconciliation, ...others });

  it('begins at its time in UTC, with the message for all accounts', () => {
    const { Target, ...schedule } = only(template, 'AWS::Scheduler::Schedule', 'ReconcileCalls');
    const [before, queueUrl, after] = Target.Input['Fn::Join'][1];

    expect(schedule).toMatchObject({
      ScheduleExpression: cron,
      ScheduleExpressionTimezone: 'Etc/UTC',
      State: 'ENABLED',
    });
    expect(JSON.stringify(Target.Arn)).toContain(':scheduler:::aws-sdk:sqs:sendMessage"');
    expect(nameOf(queueUrl)).toBe('ReconcileCallsQueue.Ref');
    expect(JSON.parse(`${before}URL${after}`)).toEqual({ QueueUrl: 'URL', MessageBody: '{"kind":"all"}' });
  });

  it('drops messages when the next schedule takes over, and has no dead letters', () => {
    const queue = only(template, 'AWS::SQS::Queue', 'ReconcileCallsQueue');

    expect(queue).toMatchObject({ MessageRetentionPeriod: secondsUntilNext, VisibilityTimeout: 6 * 60 });
    expect(queue).not.toHaveProperty('RedrivePolicy');
  });

  it('gives each run one message, so that a failed one holds up no other', () => {
    expect(only(template, 'AWS::Lambda::EventSourceMapping', 'ReconcileCalls')).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^CallfeedReconcileCallsQueue/), 'Arn'] },
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 5 },
    });
  });

  it('judges over the time in which the report is read', () => {
    const periods = ['CallbacksMissing', 'ReconciliationSilent'].map((name) =>
      JSON.stringify(only(template, 'AWS::CloudWatch::Alarm', `Monitoring${name}`)),
    );

    for (const alarm of periods) expect(alarm).toContain(`"Period":${alarmSeconds}`);
  });

  it('outputs the queue, which only the setting off removes with all that belongs to it', () => {
    const off = templateWith({ reconciliation: 'off', ...others });
    const rest = Object.entries(resourcesOf(template)).filter(([id]) => !isOfReconciliation(id));

    expect(nameOf(template.findOutputs('*')['ReconciliationQueueUrl']?.['Value'])).toBe('ReconcileCallsQueue.Ref');
    expect(resourcesOf(off)).toEqual(
      Object.fromEntries(rest.map(([id, resource]) => [id, isShared(id) ? expect.anything() : resource])),
    );
    expect(JSON.stringify(off.toJSON())).not.toMatch(/Reconcil|ReportCalls|ReportPages/);
  });
});

it('a stack without settings has nothing of reconciliation', () => {
  expect(JSON.stringify(templateWith({}).toJSON())).not.toMatch(/Reconcil|ReportCalls|ReportPages/);
});
