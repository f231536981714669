import { AsyncLocalStorage } from 'node:async_hooks';

import { type FunctionName, isRecursive } from '../../functions/timeouts.ts';
import type { Message } from '../queue/message.ts';
import type { Queue } from '../queue/queue.ts';

/** So many runs of a chain are made: of messages that runs send, and runs that these messages cause. */
export const longestChain = 16;

const running = new AsyncLocalStorage<string>();

const lineage = 'Lineage=sandbox:';
const traceOf = (runs: number): string => `Root=1-00000000-000000000000000000000000;${lineage}${runs}`;
const runsBefore = ({ trace = '' }: Pick<Message, 'trace'>): number => Number(trace.split(lineage)[1] ?? 0);

/**
 * Lets the SDK find the trace of the present run where Lambda's runtime keeps it. It sends that with each request where
 * `AWS_LAMBDA_FUNCTION_NAME` is set.
 */
const provideTrace = (): void => {
  const runtime = Object(Reflect.get(globalThis, 'awslambda'));
  const InvokeStore = Object.assign(Object(runtime.InvokeStore), { getXRayTraceId: () => running.getStore() });
  Reflect.set(globalThis, 'awslambda', Object.assign(runtime, { InvokeStore }));
};

/**
 * Receives messages for a function as Lambda does: it gives up those whose chain is too long, unless the function allows it.
 * `run` makes the function's run the next one in the chain of the messages that it gets.
 */
export const receiveFor = (name: FunctionName, queue: Pick<Queue, 'receive' | 'giveUp'>, count: number) => {
  const received = queue.receive(count);
  const isStopped = (message: Message) => !isRecursive(name) && runsBefore(message) >= longestChain;
  for (const { receipt = '' } of received.filter(isStopped)) queue.giveUp(receipt);
  const messages = received.filter((message) => !isStopped(message));
  const trace = traceOf(Math.max(0, ...messages.map(runsBefore)) + 1);
  provideTrace();
  return { messages, run: <Result>(invoke: () => Result): Result => running.run(trace, invoke) };
};
