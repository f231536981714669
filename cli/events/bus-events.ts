import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { Problem } from '../problem.ts';
import { problemOf } from '../problem-of.ts';
import { keptSeconds, openRule, type Place, type Undo } from './temporary-rule.ts';

/** How a bus is followed. */
export interface Following {
  readonly place: Place;
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
export async function* busEvents({ place, pattern, onMade, onLeft, ...following }: Following): AsyncGenerator<string> {
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
    yield* received({ ...following, queueUrl, sqs: place.sqs });
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

interface Queue extends Pick<Following, 'signal' | 'clock' | 'note'> {
  readonly queueUrl: string;
  readonly sqs: Pick<SQSClient, 'send'>;
}

async function* received({ queueUrl: QueueUrl, sqs, signal, clock, note }: Queue): AsyncGenerator<string> {
  const receive = { QueueUrl, MaxNumberOfMessages: perCall, WaitTimeSeconds: waitSeconds };
  let askedAt = clock().getTime();
  while (!signal.aborted) {
    const gapSeconds = (clock().getTime() - askedAt) / 1000;
    if (gapSeconds >= keptSeconds) note('The output stood still for an hour: events may have been missed.');
    askedAt = clock().getTime();

    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(receive), { abortSignal: signal });
    for (const { Body = '' } of Messages) yield Body;
    if (Messages.length > 0)
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: Messages.map(entryOf) }));
  }
}

const entryOf = ({ MessageId = '', ReceiptHandle = '' }: Message) => ({ Id: MessageId, ReceiptHandle });
