import { Duration, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { Universal } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { scheduleMinutes, tickEntries } from '../../functions/poll-agents/ticks.ts';
import { explain, keyRight, type Right, statementOf } from './right.ts';
import type { Standards } from './standards.ts';

/** Where ticks go. */
export interface TickScheduleProps {
  readonly standards: Standards;
  readonly queue: Queue;
}

/** Sends the ticks of two minutes at once, each with the delay to its slot: no schedule is finer than a minute. */
export class TickSchedule extends Construct {
  constructor(scope: Construct, id: string, { standards, queue }: TickScheduleProps) {
    super(scope, id);

    const { account } = Stack.of(this);
    const conditions = { StringEquals: { 'aws:SourceAccount': account } };
    // The role that CDK would make belongs to the stack, and is shared by whatever else in it has such a target.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions }) });
    const rights = this.rightsTo(queue, standards);
    for (const right of rights) explain(role, right);

    new Schedule(this, 'Schedule', {
      description: 'Ticks for the polls of a minute.',
      schedule: ScheduleExpression.rate(Duration.minutes(scheduleMinutes)),
      target: new Universal({
        service: 'sqs',
        action: 'sendMessageBatch',
        input: ScheduleTargetInput.fromObject({ QueueUrl: queue.queueUrl, Entries: tickEntries }),
        role,
        policyStatements: rights.map(statementOf),
        // After a minute the next ones are sent.
        maxEventAge: Duration.minutes(scheduleMinutes),
        retryAttempts: 3,
      }),
    });
  }

  private rightsTo({ queueArn }: Queue, { encryptionKey }: Standards): readonly Right[] {
    const send: Right = { actions: ['sqs:SendMessage'], resource: queueArn, why: 'Sends ticks to their queue.' };
    if (encryptionKey === undefined) return [send];

    return [send, keyRight(encryptionKey, ['kms:Decrypt', 'kms:GenerateDataKey'], ['sqs'])];
  }
}
