import {
  DeleteRuleCommand,
  type EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { isDenied, isDown, Problem, problemOf } from '../frame/problem.ts';

export interface FollowOptions {
  readonly place: {
    readonly sqs: Pick<SQSClient, 'send'>;
    readonly eventbridge: Pick<EventBridgeClient, 'send'>;
    readonly busName: string;
    readonly name: string;
  };
  readonly pattern: string;
  readonly signal: AbortSignal;
  readonly clock: () => Date;
  readonly note: (line: string) => void;
  readonly onResources: (all: readonly string[]) => void;
  readonly onLeftover: (line: string) => void;
}

/** Events as lines of JSON until the signal aborts, through a temporary queue and rule. These are deleted after errors too. */
export async function* followBus(options: FollowOptions): AsyncGenerator<string> {
  const { signal, note, onResources, onLeftover } = options;
  let resources: readonly TemporaryResource[] = [];
  const setResources = (all: readonly TemporaryResource[]) => {
    resources = all;
    onResources(all.map(({ what }) => what));
  };
  try {
    const queueUrl = await openRule(options, (resource) => {
      setResources([resource, ...resources]);
      signal.throwIfAborted();
    });
    note('Following the bus. The first events may take a minute to come. Ctrl-C ends this.');
    yield* receiveMessages(options, queueUrl);
  } catch (error) {
    if (signal.aborted) return;
    const problem = withKeyAdvice(error);
    // A part that does not answer makes the deletion wait too.
    if (resources.length > 0) note(`${problemOf(problem).message} The temporary queue and rule are being deleted.`);
    throw problem;
  } finally {
    for (const { what, remove } of resources) {
      await remove().catch((error: unknown) => {
        if (!isMissing(error))
          onLeftover(`The ${what} could not be deleted and may still exist: ${problemOf(error).message}`);
      });
      setResources(resources.slice(1));
    }
  }
}

/** A resource whose making failed does not exist, so its deletion fails with this. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && /ResourceNotFound|QueueDoesNotExist|NonExistentQueue/.test(error.name);

/** EventBridge encrypts the rules of a bus with the bus's own KMS key, if it has one. */
const withKeyAdvice = (error: unknown): unknown =>
  error instanceof Error && /kms/i.test(`${error.name} ${error.message}`)
    ? new Problem(
        `${problemOf(error).message} The bus has its own KMS key: to make a rule on it you need kms:DescribeKey, kms:GenerateDataKey and kms:Decrypt on that key.`,
      )
    : error;

interface TemporaryResource {
  readonly what: string;
  readonly remove: () => Promise<unknown>;
}

/** How long the queue stores an event, so that one left by a killed command does not grow for ever. */
const retentionSeconds = 3600;

const targetId = 'queue';

/**
 * Makes a queue, a rule for the pattern, and the rule's target. Passes each to `onMade` before the call that makes it,
 * so that a call that failed halfway is cleaned up too. The queue is passed after its call, because its address is not
 * known before: without an answer it can only be named. Resolves with the queue's URL.
 */
const openRule = async (
  { place: { sqs, eventbridge, busName, name }, pattern, onLeftover }: FollowOptions,
  onMade: (resource: TemporaryResource) => void,
): Promise<string> => {
  const settings = { MessageRetentionPeriod: String(retentionSeconds), SqsManagedSseEnabled: 'true' };
  const create = new CreateQueueCommand({ QueueName: name, Attributes: settings });
  const { QueueUrl } = await sqs.send(create).catch((error: unknown) => {
    if (isDown(error) && !isDenied(error))
      onLeftover(`The queue ${name} may exist: SQS did not say whether it was made. If it does, delete it.`);
    throw error;
  });
  onMade({ what: `queue ${name}`, remove: () => sqs.send(new DeleteQueueCommand({ QueueUrl })) });
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const queueArn = Attributes?.QueueArn ?? '';

  const rule = { Name: name, EventBusName: busName };
  onMade({ what: `rule ${name} of the bus ${busName}`, remove: () => eventbridge.send(new DeleteRuleCommand(rule)) });
  const made = { EventPattern: pattern, Description: 'Temporary: made by “callfeed events --follow”.' };
  const { RuleArn = '' } = await eventbridge.send(new PutRuleCommand({ ...rule, ...made }));
  const Policy = policyFor(queueArn, RuleArn);
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));

  const targets = { Rule: name, EventBusName: busName };
  const removal = new RemoveTargetsCommand({ ...targets, Ids: [targetId] });
  onMade({ what: `target of the rule ${name}`, remove: () => eventbridge.send(removal) });
  const target = new PutTargetsCommand({ ...targets, Targets: [{ Id: targetId, Arn: queueArn }] });
  const { FailedEntryCount = 0 } = await eventbridge.send(target);
  if (FailedEntryCount > 0) throw new Problem('EventBridge rejected the queue as the target of the rule.');
  return QueueUrl ?? '';
};

const policyFor = (queueArn: string, ruleArn: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
        Condition: { ArnEquals: { 'aws:SourceArn': ruleArn } },
      },
    ],
  });

const maxBatchSize = 10;

async function* receiveMessages(
  { place: { sqs }, signal, clock, note }: FollowOptions,
  QueueUrl: string,
): AsyncGenerator<string> {
  // A short wait: the client gives an answer up after some seconds, as one that does not come.
  const receive = { QueueUrl, MaxNumberOfMessages: maxBatchSize, WaitTimeSeconds: 1 };
  let receivedAt = clock().getTime();
  while (!signal.aborted) {
    const gapSeconds = (clock().getTime() - receivedAt) / 1000;
    if (gapSeconds >= retentionSeconds) note('The output was blocked for an hour: events may have been missed.');
    receivedAt = clock().getTime();

    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(receive), { abortSignal: signal });
    for (const { Body = '' } of Messages) yield Body;
    if (Messages.length > 0)
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: Messages.map(batchEntry) }));
  }
}

const batchEntry = ({ MessageId = '', ReceiptHandle = '' }: Message) => ({ Id: MessageId, ReceiptHandle });
