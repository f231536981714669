import { Duration, Names, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  type EventSourceMapping,
  type EventSourceMappingOptions,
  FilterCriteria,
  FilterRule,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Schedule, type ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { Universal } from 'aws-cdk-lib/aws-scheduler-targets';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  type QueueConsumer,
  queueSources,
  type StreamConsumer,
  streamBatchSize,
  streamSources,
} from '../../functions/event-sources.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { keyPermission, type ServiceFunction, serviceRole, statementOf } from './service-function.ts';
import { dataRemovalPolicy } from './storage.ts';

const encryptedQueue = (scope: Construct, id: string, { encryptionKey }: DeploymentContext, props: QueueProps): Queue =>
  new Queue(scope, id, {
    ...props,
    ...(encryptionKey
      ? { encryption: QueueEncryption.KMS, encryptionMasterKey: encryptionKey }
      : { encryption: QueueEncryption.SQS_MANAGED }),
    enforceSSL: true,
  });

/** An encrypted queue for data. It retains messages for 14 days, the longest that SQS allows. */
export const privateQueue = (
  scope: Construct,
  id: string,
  deploymentContext: DeploymentContext,
  props: Pick<QueueProps, 'fifo' | 'visibilityTimeout' | 'deadLetterQueue'> = {},
): Queue =>
  encryptedQueue(scope, id, deploymentContext, {
    ...props,
    retentionPeriod: Duration.days(14),
    maxMessageSizeBytes: 1024 * 1024,
    removalPolicy: dataRemovalPolicy(deploymentContext),
  });

type TransientQueueProps = Pick<QueueProps, 'retentionPeriod' | 'visibilityTimeout'> & {
  readonly whyNoDeadLetters: string;
};

/** An encrypted queue of messages that hold no data and are soon worthless: it has no dead letters and goes with the stack. */
export const transientQueue = (
  scope: Construct,
  id: string,
  deploymentContext: DeploymentContext,
  { whyNoDeadLetters, ...props }: TransientQueueProps,
): Queue => {
  const queue = encryptedQueue(scope, id, deploymentContext, { ...props, removalPolicy: RemovalPolicy.DESTROY });
  Validations.of(queue).acknowledge({ id: 'AwsSolutions-SQS3', reason: whyNoDeadLetters });

  return queue;
};

export const visibilityTimeoutFor = (consumer: QueueConsumer): Duration =>
  Duration.seconds(queueSources[consumer].visibilitySeconds);

interface QueueOfDataProps extends Pick<QueueProps, 'fifo'> {
  readonly consumer: QueueConsumer;
  readonly maxReceiveCount: number;
}

/** A queue for data, and one for what its consumer could not process. The ids fix the logical ids of both. */
export const queueWithDeadLetters = (
  scope: Construct,
  deploymentContext: DeploymentContext,
  { consumer, maxReceiveCount, ...props }: QueueOfDataProps,
): { readonly queue: Queue; readonly deadLetters: Queue } => {
  const deadLetters = privateQueue(scope, 'DeadLetters', deploymentContext, props);
  const queue = privateQueue(scope, 'Queue', deploymentContext, {
    ...props,
    visibilityTimeout: visibilityTimeoutFor(consumer),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount },
  });
  return { queue, deadLetters };
};

/** Lets a function process a queue. Only the failed messages of a batch are received again. */
export const serveQueue = (
  service: ServiceFunction,
  { consumer, queue, maxConcurrency }: { consumer: QueueConsumer; queue: Queue; maxConcurrency: number },
): void => {
  const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  service.allow(queue.queueArn, 'Receives the messages of its queue.', ...actions);

  // Never change this id. CloudFormation would create the new mapping before it deletes the old one, and Lambda rejects a
  // second mapping of the same queue.
  service.function.addEventSourceMapping(`SqsEventSource:${Names.nodeUniqueId(queue.node)}`, {
    eventSourceArn: queue.queueArn,
    batchSize: queueSources[consumer].batchSize,
    reportBatchItemFailures: true,
    maxConcurrency,
  });
};

interface StreamReading {
  readonly consumer: StreamConsumer;
  /** Fixes the logical id of the mapping. */
  readonly id: string;
  readonly table: TableV2;
  /** The kinds of rows whose changes are processed, but no deletions. */
  readonly kinds: readonly string[];
}

/** Lets a function process the changes of a table. */
export const serveStream = (
  service: ServiceFunction,
  { consumer, id, table, kinds }: StreamReading,
  options: EventSourceMappingOptions = {},
): EventSourceMapping => {
  const { tableStreamArn, node } = table;
  if (tableStreamArn === undefined) throw new Error(`${node.path} has no stream`);

  const { maxRecordAgeSeconds } = streamSources[consumer];
  const actions = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
  service.allow(tableStreamArn, 'Receives the changes of the table.', ...actions);
  return service.function.addEventSourceMapping(id, {
    eventSourceArn: tableStreamArn,
    filters: [FilterCriteria.filter({ dynamodb: { NewImage: { kind: { S: FilterRule.or(...kinds) } } } })],
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: streamBatchSize,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    ...(maxRecordAgeSeconds !== undefined && { maxRecordAge: Duration.seconds(maxRecordAgeSeconds) }),
    ...options,
  });
};

interface QueueScheduleProps {
  readonly deploymentContext: DeploymentContext;
  readonly queue: Queue;
  readonly description: string;
  readonly schedule: ScheduleExpression;
  /** The request to SQS without the queue: one message, or a batch whose entries may be delayed each. */
  readonly request: { readonly MessageBody: string } | { readonly Entries: readonly object[] };
  /** How long the schedule may retry: until the next messages are on their way. */
  readonly maxEventAge: Duration;
  readonly why: string;
}

export class QueueSchedule extends Construct {
  constructor(scope: Construct, id: string, { deploymentContext, queue, request, why, ...props }: QueueScheduleProps) {
    super(scope, id);

    const { encryptionKey } = deploymentContext;
    // The right to send a batch is that to send a message.
    const send = { actions: ['sqs:SendMessage'], resource: queue.queueArn, why };
    const { role, granted } = serviceRole(this, 'Role', 'scheduler.amazonaws.com', [
      send,
      ...(encryptionKey ? [keyPermission(encryptionKey, ['kms:Decrypt', 'kms:GenerateDataKey'], ['sqs'])] : []),
    ]);
    const schedule = new Schedule(this, 'Schedule', {
      description: props.description,
      schedule: props.schedule,
      target: new Universal({
        service: 'sqs',
        action: 'Entries' in request ? 'sendMessageBatch' : 'sendMessage',
        input: ScheduleTargetInput.fromObject({ QueueUrl: queue.queueUrl, ...request }),
        role,
        // The role has it already. Without this, CDK would warn that it grants everything.
        policyStatements: [statementOf(send)],
        maxEventAge: props.maxEventAge,
        retryAttempts: 3,
      }),
    });
    // It begins as soon as it is made, and must not send in vain.
    schedule.node.addDependency(granted);
  }
}
