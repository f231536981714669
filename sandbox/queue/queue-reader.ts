import { AsyncLocalStorage } from 'node:async_hooks';
import type { SQSEvent, SQSMessageAttributes, SQSRecord } from 'aws-lambda';
import { type FunctionName, isRecursive } from '../../functions/limits.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { localRegion } from '../frame/local-aws.ts';
import { failedItems } from '../functions/load-function.ts';
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
  batchSize: number,
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

/*
 * Lambda stops loops: where a run sends a message, whose run sends a message and so on, it gives up the message after 16 runs. It
 * counts them in the trace of each message, which the SDK copies from the run that sends it.
 */
export const longestChain = 16;

const lineage = 'Lineage=sandbox:';
const traceOf = (runs: number): string => `Root=1-00000000-000000000000000000000000;${lineage}${runs}`;
const runsBefore = ({ trace = '' }: Pick<Message, 'trace'>): number => Number(trace.split(lineage)[1] ?? 0);

const presentTrace = new AsyncLocalStorage<string>();

/** The SDK finds the trace of the present run where Lambda's runtime keeps it, and sends it with each request. */
const provideTrace = (): void => {
  const runtime = Object(Reflect.get(globalThis, 'awslambda'));
  const InvokeStore = Object.assign(Object(runtime.InvokeStore), { getXRayTraceId: () => presentTrace.getStore() });
  Reflect.set(globalThis, 'awslambda', Object.assign(runtime, { InvokeStore }));
};

/** Receives messages for a function, and gives up those at the end of a chain. `run` makes its run the next one of the chain. */
export const receiveFor = (name: FunctionName, queue: Pick<Queue, 'receive' | 'giveUp'>, count: number) => {
  const received = queue.receive(count);
  const isStopped = (message: Message) => !isRecursive(name) && runsBefore(message) >= longestChain;
  for (const { receipt = '' } of received.filter(isStopped)) queue.giveUp(receipt);
  const messages = received.filter((message) => !isStopped(message));
  const trace = traceOf(Math.max(0, ...messages.map(runsBefore)) + 1);
  provideTrace();
  return { messages, run: <Result>(invoke: () => Result): Result => presentTrace.run(trace, invoke) };
};
