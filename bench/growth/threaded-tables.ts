import { Worker } from 'node:worker_threads';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { clientSettings } from '../../functions/adapters/aws-clients.ts';
import type { Answer } from '../../sandbox/http/serve.ts';
import { localClient, sandboxTables } from '../../sandbox/local-aws.ts';
import { type Carry, transport, type WireRequest } from '../../test/deployment/aws-clients.ts';
import { memoryDynamodb } from '../../test/deployment/memory-dynamodb/memory-dynamodb.ts';

/** A client with the deployed settings, which serialises and signs every request. `carry` replaces the network. */
export const memoryClient = (carry: Carry): DynamoDBClient =>
  new DynamoDBClient({
    ...clientSettings,
    ...localClient('http://dynamodb.invalid'),
    requestHandler: transport(() => carry),
  });

/** The sandbox's tables in memory, which answer as DynamoDB does. */
export const memoryTables = () => {
  const { handle, save, restore } = memoryDynamodb(sandboxTables, () => undefined);
  const carry = ({ headers, body }: Pick<WireRequest, 'headers' | 'body'>) =>
    handle({ method: 'POST', path: '/', headers, body });
  return { carry, save, restore };
};

export const ToThread = z.object({
  id: z.int(),
  request: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('carry'),
      headers: z.record(z.string(), z.string()),
      body: z.instanceof(Uint8Array).transform((bytes) => Buffer.from(bytes)),
    }),
    z.object({ kind: z.enum(['save', 'restore']), name: z.string() }),
  ]),
});
export type ToThread = z.input<typeof ToThread>;

const FromThread = z.object({ id: z.int(), answer: z.custom<Answer>().optional() });

type Reply = (content: ReturnType<typeof FromThread.parse>) => void;

/**
 * Starts tables in a thread of their own. `onWait` is called whenever a function waits for their answer. An error in the
 * thread ends this process, as no figure would mean anything then.
 */
export const startThreadedTables = (onWait: () => void) => {
  const thread = new Worker(new URL('./tables-worker.ts', import.meta.url));
  const waiting = new Map<number, Reply>();
  let count = 0;

  thread.on('message', (message: unknown) => {
    const content = FromThread.parse(message);
    waiting.get(content.id)?.(content);
    waiting.delete(content.id);
  });
  thread.on('error', (error) => {
    throw error;
  });

  const send = (request: ToThread['request']): Promise<Parameters<Reply>[0]> =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      thread.postMessage({ id: count, request });
    });

  const dynamodb = memoryClient(async (request) => {
    const answering = send({ kind: 'carry', headers: request.headers, body: Uint8Array.from(request.body) });
    onWait();
    const { answer } = await answering;
    if (answer === undefined) throw new Error('The tables did not answer');
    return answer;
  });

  return {
    dynamodb,
    save: async (name: string) => void (await send({ kind: 'save', name })),
    /** Puts back the rows that were saved under a name; none if there are none. */
    restore: async (name: string) => void (await send({ kind: 'restore', name })),
    stop: async () => void (await thread.terminate()),
  };
};

export type ThreadedTables = ReturnType<typeof startThreadedTables>;
