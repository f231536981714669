import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { tickEntries, tickLifeSeconds } from '../../../functions/poll-agents/ticks.ts';
import { synthesise } from '../support/synthesise.ts';
import { nameOf, only } from '../support/template.ts';

const { template } = synthesise();

describe('the schedule', () => {
  const { ScheduleExpression, State, FlexibleTimeWindow, Target } = only(
    template,
    'AWS::Scheduler::Schedule',
    'PollAgentsEveryMinute',
  );

  it('sends every minute the ticks of two minutes, each delayed to its slot', () => {
    const [before, queueUrl, after] = Target.Input['Fn::Join'][1];

    expect([ScheduleExpression, State, FlexibleTimeWindow]).toEqual(['rate(1 minute)', 'ENABLED', { Mode: 'OFF' }]);
    expect(JSON.stringify(Target.Arn)).toContain(':scheduler:::aws-sdk:sqs:sendMessageBatch');
    expect(nameOf(queueUrl)).toBe('PollAgentsTicks.Ref');
    expect(JSON.parse(`${before}URL${after}`)).toEqual({ QueueUrl: 'URL', Entries: tickEntries });
  });

  it('retries within the minute, and has no dead letters', () => {
    expect(Target.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 3 });
    expect(Target).not.toHaveProperty('DeadLetterConfig');
  });
});

describe('the queue of ticks', () => {
  const queue = only(template, 'AWS::SQS::Queue', 'PollAgentsTicks');

  it('drops a tick when its slot is over, and has no dead letters', () => {
    expect(queue['MessageRetentionPeriod']).toBe(135);
    expect(tickLifeSeconds).toBe(135);
    expect(queue).not.toHaveProperty('RedrivePolicy');
  });

  it('hides a tick as long as the poller may run', () => {
    const { Timeout } = only(template, 'AWS::Lambda::Function', 'PollAgents');

    expect(queue['VisibilityTimeout']).toBe(Timeout);
  });

  it('is deleted with the stack', () => {
    template.hasResource('AWS::SQS::Queue', { Properties: queue, DeletionPolicy: 'Delete' });
  });

  it('is processed by at most two runs at once, ten ticks each', () => {
    expect(only(template, 'AWS::Lambda::EventSourceMapping', 'PollAgents')).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^CallfeedPollAgentsTicks/), 'Arn'] },
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });
});

describe('a stack with agentPolling=off', () => {
  const { template: without } = synthesise({ context: { agentPolling: 'off' } });
  const resourcesOf = (of: Template): object => of.toJSON()['Resources'];

  const isOfPolling = (id: string) =>
    /^Callfeed(PollAgents|Monitoring(AgentsStale|EveryPollFails|PollerSilent|RateLimitExceeded|AgentsUnreadable|PollerCrashes|CallbacksSilent))/.test(
      id,
    );
  /** Resources that show the poller besides other things. */
  const isShared = (id: string) => /^CallfeedMonitoring(Dashboard|Queries)/.test(id);

  it('keeps the table of agents and its stream, so that polling can be switched on again', () => {
    const all = Object.entries(resourcesOf(template)).filter(([id]) => !isOfPolling(id));
    const expected = all.map(([id, resource]) => [id, isShared(id) ? expect.anything() : resource]);

    expect(resourcesOf(without)).toEqual(Object.fromEntries(expected));
  });

  it('has no graph, query or output for the poller', () => {
    expect(JSON.stringify(without.toJSON())).not.toMatch(
      /PollAgents|PollsSucceeded|FeedAgeSeconds|CallbackSilenceSeconds/,
    );
    expect(JSON.stringify(template.toJSON())).toMatch(/PollAgents.*PollsSucceeded/);
  });
});
