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
import { Problem, problemOf } from '../problem.ts';

/** Where a queue and a rule of our own are made, and what they are called. */
export interface RulePlace {
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly eventbridge: Pick<EventBridgeClient, 'send'>;
  readonly busName: string;
  /** Of both. */
  readonly name: string;
}

/** Events wait so long at most to be shown: what a killed command leaves behind fills no further. */
const retentionSeconds = 3600;

const targetId = 'queue';

/** What undoes a step, in words for when it cannot be done. */
export interface Undo {
  readonly what: string;
  readonly undo: () => Promise<unknown>;
}

/**
 * Has the bus send the events of a pattern to a queue of our own, step by step; before each step that makes something,
 * `made` is told how to take it away again. Resolves with the queue's address.
 */
const openRule = async (place: RulePlace, pattern: string, made: (undo: Undo) => void): Promise<string> => {
  const { sqs, eventbridge, busName, name } = place;
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: { MessageRetentionPeriod: String(retentionSeconds), SqsManagedSseEnabled: 'true' },
    }),
  );
  made({ what: `queue ${name}`, undo: () => sqs.send(new DeleteQueueCommand({ QueueUrl })) });
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const queueArn = Attributes?.QueueArn ?? '';

  const rule = { Name: name, EventBusName: busName };
  made({ what: `rule ${name} of the bus ${busName}`, undo: () => eventbridge.send(new DeleteRuleCommand(rule)) });
  const { RuleArn } = await eventbridge.send(
    new PutRuleCommand({
      ...rule,
      EventPattern: pattern,
      Description: 'Of a “callfeed events --follow” that goes on.',
    }),
  );
  await sqs.send(
    new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: policyFor(queueArn, RuleArn ?? '') } }),
  );

  const targets = { Rule: name, EventBusName: busName };
  made({
    what: `target of the rule ${name}`,
    undo: () => eventbridge.send(new RemoveTargetsCommand({ ...targets, Ids: [targetId] })),
  });
  const { FailedEntryCount = 0 } = await eventbridge.send(
    new PutTargetsCommand({ ...targets, Targets: [{ Id: targetId, Arn: queueArn }] }),
  );
  if (FailedEntryCount > 0) throw new Problem('EventBridge did not take the queue as the target of the rule.');
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

/** How a bus is followed. */
export interface FollowOptions {
  readonly place: RulePlace;
  readonly pattern: string;
  readonly signal: AbortSignal;
  readonly clock: () => Date;
  /** Told once events are followed, and when some may have been missed. */
  readonly note: (line: string) => void;
  /** Told of everything that there is to be taken away, whenever that is something else. */
  readonly onMade: (all: readonly string[]) => void;
  /** Told of what could not be taken away at the end. */
  readonly onLeft: (line: string) => void;
}

const perCall = 10;
const waitSeconds = 20;

/**
 * The events of a pattern from now on, as lines of JSON, until the signal aborts. They come by a queue and a rule that are
 * taken away at the end, however it comes.
 */
export async function* followBus({
  place,
  pattern,
  onMade,
  onLeft,
  ...following
}: FollowOptions): AsyncGenerator<string> {
  const { signal, note } = following;
  let undos: readonly Undo[] = [];
  const isNow = (made: readonly Undo[]) => {
    undos = made;
    onMade(made.map(({ what }) => what));
  };
  try {
    const queueUrl = await openRule(place, pattern, (undo) => {
      isNow([undo, ...undos]);
      signal.throwIfAborted();
    });
    note('Following the bus; the first events may take a minute to come. Ctrl-C ends it.');
    yield* receiveMessages({ ...following, queueUrl, sqs: place.sqs });
  } catch (error) {
    if (!signal.aborted) throw withKeyAdvice(error);
  } finally {
    for (const { what, undo } of undos) {
      await undo().catch((error: unknown) => {
        if (!isGone(error)) onLeft(`The ${what} could not be deleted and may be left: ${problemOf(error).message}`);
      });
      isNow(undos.slice(1));
    }
  }
}

/** What was never made, since the step failed that should have made it, needs no taking away. */
const isGone = (error: unknown): boolean =>
  error instanceof Error && /ResourceNotFound|QueueDoesNotExist|NonExistentQueue/.test(error.name);

/** A bus that has a key of its own encrypts its rules with it. */
const withKeyAdvice = (error: unknown): unknown =>
  error instanceof Error && /kms/i.test(`${error.name} ${error.message}`)
    ? new Problem(
        `${problemOf(error).message} The bus has a key of its own: to make a rule on it takes kms:DescribeKey, kms:GenerateDataKey and kms:Decrypt on that key.`,
      )
    : error;

interface Queue extends Pick<FollowOptions, 'signal' | 'clock' | 'note'> {
  readonly queueUrl: string;
  readonly sqs: Pick<SQSClient, 'send'>;
}

async function* receiveMessages({ queueUrl: QueueUrl, sqs, signal, clock, note }: Queue): AsyncGenerator<string> {
  const receive = { QueueUrl, MaxNumberOfMessages: perCall, WaitTimeSeconds: waitSeconds };
  let askedAt = clock().getTime();
  while (!signal.aborted) {
    const gapSeconds = (clock().getTime() - askedAt) / 1000;
    if (gapSeconds >= retentionSeconds) note('The output stood still for an hour: events may have been missed.');
    askedAt = clock().getTime();

    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(receive), { abortSignal: signal });
    for (const { Body = '' } of Messages) yield Body;
    if (Messages.length > 0)
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: Messages.map(batchEntry) }));
  }
}

const batchEntry = ({ MessageId = '', ReceiptHandle = '' }: Message) => ({ Id: MessageId, ReceiptHandle });
