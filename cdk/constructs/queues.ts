import type { Duration } from 'aws-cdk-lib';
import { Schedule, type ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { Universal } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DeploymentContext } from './deployment-context.ts';
import { explain, keyPermission, type Permission, serviceRole, statementOf } from './service-function.ts';

export interface QueueScheduleProps {
  readonly deploymentContext: DeploymentContext;
  readonly queue: Queue;
  readonly description: string;
  readonly schedule: ScheduleExpression;
  /** The request to SQS without the queue: one message, or a batch whose entries may be delayed each. */
  readonly request: { readonly MessageBody: string } | { readonly Entries: readonly object[] };
  /** How long the schedule may retry: until the next messages are on their way. */
  readonly maxEventAge: Duration;
  /** Why it may send, for the list of permissions. */
  readonly why: string;
}

export class QueueSchedule extends Construct {
  constructor(scope: Construct, id: string, { deploymentContext, queue, request, why, ...props }: QueueScheduleProps) {
    super(scope, id);

    const role = serviceRole(this, 'Role', 'scheduler.amazonaws.com');
    const permissions = permissionsFor(queue, why, deploymentContext);
    for (const permission of permissions) explain(role, permission);

    new Schedule(this, 'Schedule', {
      description: props.description,
      schedule: props.schedule,
      target: new Universal({
        service: 'sqs',
        action: 'Entries' in request ? 'sendMessageBatch' : 'sendMessage',
        input: ScheduleTargetInput.fromObject({ QueueUrl: queue.queueUrl, ...request }),
        role,
        policyStatements: permissions.map(statementOf),
        maxEventAge: props.maxEventAge,
        retryAttempts: 3,
      }),
    });
  }
}

/** The right to send a batch is that to send a message. */
const permissionsFor = (
  { queueArn }: Queue,
  why: string,
  { encryptionKey }: DeploymentContext,
): readonly Permission[] => {
  const send: Permission = { actions: ['sqs:SendMessage'], resource: queueArn, why };
  return encryptionKey === undefined
    ? [send]
    : [send, keyPermission(encryptionKey, ['kms:Decrypt', 'kms:GenerateDataKey'], ['sqs'])];
};
