import { AsyncLocalStorage } from 'node:async_hooks';
import type { SQSEvent, SQSMessageAttributes, SQSRecord } from 'aws-lambda';
import { type FunctionName, isRecursive } from '../../functions/timeouts.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { failedItems } from '../functions.ts';
import { localRegion } from '../local-aws.ts';
import { type Message, type MessageAttributes, md5, type Queue, systemAttributes } from './queue.ts';
import { queueArn } from './sqs-endpoint.ts';

interface Consumer {
  readonly name: FunctionName;
  invoke(event: SQSEvent): Promise<unknown>;
}

/** Deletes the messages that succeeded; the others become visible again. The returned function stops after a running batch. */
export const startQueueReader = (
  queue: Queue,
  { name, invoke }: Consumer,
  onBatch: (succeeded: number, failed: number) => void,
  batchSize = 10,
) => {
  const stopping = new AbortController();

  const read = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { messages, run } = receiveFor(name, queue, batchSize);
      if (messages.length > 0) {
        const failed = await run(() => failuresOf(messages, queue, invoke));
        const succeeded = messages.filter(({ id }) => !failed.includes(id));
        for (const { receipt = '' } of succeeded) queue.remove(receipt);
        onBatch(succeeded.length, messages.length - succeeded.length);
      }
      await queue.waitForMessage(stopping.signal);
    }
  };
  const reading = read();

  return (): Promise<void> => {
    stopping.abort();
    return reading;
  };
};

const failuresOf = async (messages: readonly Message[], queue: Queue, invoke: Consumer['invoke']) => {
  const ids = messages.map(({ id }) => id);
  try {
    const answer = await invoke({ Records: messages.map((message) => sqsRecord(queue.name, message)) });
    return failedItems(answer, ids);
  } catch {
    return ids;
  }
};

export const sqsRecord = (queueName: string, message: Message): SQSRecord => ({
  messageId: message.id,
  receiptHandle: message.receipt ?? '',
  body: message.body,
  attributes: systemAttributes(message),
  messageAttributes: attributesOf(message.attributes),
  md5OfBody: md5(message.body),
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn(queueName),
  awsRegion: localRegion,
});

const attributesOf = (attributes: MessageAttributes): SQSMessageAttributes =>
  mapValues(attributes, ({ DataType, StringValue, BinaryValue }) => ({
    dataType: DataType,
    ...(StringValue !== undefined && { stringValue: StringValue }),
    ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
    stringListValues: [],
    binaryListValues: [],
  }));

/** So many runs of a chain are made: of messages that runs send, and runs that these messages cause. */
export const longestChain = 16;

const running = new AsyncLocalStorage<string>();

const lineage = 'Lineage=sandbox:';
const traceOf = (runs: number): string => `Root=1-00000000-000000000000000000000000;${lineage}${runs}`;
const runsBefore = ({ trace = '' }: Pick<Message, 'trace'>): number => Number(trace.split(lineage)[1] ?? 0);

/** The SDK finds the trace of the present run where Lambda's runtime keeps it, and sends it with each request. */
const provideTrace = (): void => {
  const runtime = Object(Reflect.get(globalThis, 'awslambda'));
  const InvokeStore = Object.assign(Object(runtime.InvokeStore), { getXRayTraceId: () => running.getStore() });
  Reflect.set(globalThis, 'awslambda', Object.assign(runtime, { InvokeStore }));
};

/** Too long a chain of messages is given up, as by Lambda. `run` makes the function's run the next one in it. */
export const receiveFor = (name: FunctionName, queue: Pick<Queue, 'receive' | 'giveUp'>, count: number) => {
  const received = queue.receive(count);
  const isStopped = (message: Message) => !isRecursive(name) && runsBefore(message) >= longestChain;
  for (const { receipt = '' } of received.filter(isStopped)) queue.giveUp(receipt);
  const messages = received.filter((message) => !isStopped(message));
  const trace = traceOf(Math.max(0, ...messages.map(runsBefore)) + 1);
  provideTrace();
  return { messages, run: <Result>(invoke: () => Result): Result => running.run(trace, invoke) };
};
