import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { Universal } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { scheduleMinutes, tickEntries } from '../../functions/poll-agents/ticks.ts';

/** Sends the ticks of two minutes at once, each with the delay to its slot: no schedule is finer than a minute. */
export class TickSchedule extends Construct {
  constructor(scope: Construct, id: string, { queue }: { readonly queue: Queue }) {
    super(scope, id);

    const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    new Schedule(this, 'Schedule', {
      description: 'Ticks for the polls of a minute.',
      schedule: ScheduleExpression.rate(Duration.minutes(scheduleMinutes)),
      target: new Universal({
        service: 'sqs',
        action: 'sendMessageBatch',
        input: ScheduleTargetInput.fromObject({ QueueUrl: queue.queueUrl, Entries: tickEntries }),
        // The role that CDK would make belongs to the stack, and is shared by whatever else in it has such a target.
        role: new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions }) }),
        policyStatements: [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] })],
        // After a minute the next ones are sent.
        maxEventAge: Duration.minutes(scheduleMinutes),
        retryAttempts: 3,
      }),
    });
  }
}
