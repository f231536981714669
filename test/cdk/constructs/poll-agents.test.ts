import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { tickEntries, tickLifeSeconds } from '../../../functions/poll-agents/ticks.ts';
import { synthesise } from '../support/synthesise.ts';
import { nameOf, only, propertiesOf } from '../support/template.ts';

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

  it('tries again for as long as the minute lasts, and leaves nothing behind', () => {
    expect(Target.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 3 });
    expect(Target).not.toHaveProperty('DeadLetterConfig');
  });
});

describe('the queue of ticks', () => {
  const queue = only(template, 'AWS::SQS::Queue', 'PollAgentsTicks');

  it('drops a tick when the slot of the latest is over, and sets none aside', () => {
    expect(queue['MessageRetentionPeriod']).toBe(135);
    expect(tickLifeSeconds).toBe(135);
    expect(queue).not.toHaveProperty('RedrivePolicy');
  });

  it('hides a tick for as long as the poller may run', () => {
    const { Timeout } = only(template, 'AWS::Lambda::Function', 'PollAgents');

    expect(queue['VisibilityTimeout']).toBe(Timeout);
  });

  it('goes with the stack', () => {
    template.hasResource('AWS::SQS::Queue', { Properties: queue, DeletionPolicy: 'Delete' });
  });

  it('is served by few runs at once, and what has piled up by one', () => {
    expect(only(template, 'AWS::Lambda::EventSourceMapping', 'PollAgents')).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^CallfeedPollAgentsTicks/), 'Arn'] },
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });
});

describe('a stack without polling', () => {
  const { template: without } = synthesise({ context: { agentPolling: 'off' } });
  const resourcesOf = (of: Template): object => of.toJSON()['Resources'];

  const isOfPolling = (id: string) =>
    /^Callfeed(PollAgents|Monitoring(AgentsStale|EveryPollFails|PollerSilent|RateLimitExceeded|AgentsUnreadable|PollerCrashes))/.test(
      id,
    );
  /** What looks at the poller beside other things. */
  const isShared = (id: string) => /^CallfeedMonitoring(Dashboard|Queries)/.test(id);

  it('has the table of agents and its subscription, so that polling can be switched on and off', () => {
    const all = Object.entries(resourcesOf(template)).filter(([id]) => !isOfPolling(id));
    const expected = all.map(([id, resource]) => [id, isShared(id) ? expect.anything() : resource]);

    expect(resourcesOf(without)).toEqual(Object.fromEntries(expected));
    expect(Object.keys(propertiesOf(without, 'AWS::Scheduler::Schedule'))).toEqual([]);
  });

  it('shows nothing of polls, and names no poller', () => {
    expect(JSON.stringify(without.toJSON())).not.toMatch(/PollAgents|PollsSucceeded|FeedAgeSeconds/);
    expect(JSON.stringify(template.toJSON())).toMatch(/PollAgents.*PollsSucceeded/);
  });

  it('has no output for ticks', () => {
    expect(Object.keys(without.findOutputs('TickQueueUrl'))).toEqual([]);
  });
});
