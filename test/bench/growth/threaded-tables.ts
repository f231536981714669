import { Worker } from 'node:worker_threads';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { clientSettings } from '../../../functions/adapters/aws-clients.ts';
import { localClient, sandboxTables } from '../../../sandbox/local-aws.ts';
import { memoryDynamodb } from '../../support/memory-dynamodb/memory-dynamodb.ts';

/** What the SDK hands over, as far as it is looked at. */
interface SdkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The SDK's bytes warn when they are used as text, so they are read from their buffer. */
const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();

/** A client with the deployed settings, which serialises and signs every request. `carry` replaces the network. */
export const memoryClient = (carry: (request: DynamodbRequest) => Promise<DynamodbAnswer>): DynamoDBClient =>
  new DynamoDBClient({
    ...clientSettings,
    ...localClient('http://dynamodb.invalid'),
    requestHandler: {
      async handle({ headers, body = '' }: SdkRequest) {
        const operation = headers['x-amz-target']?.split('.')[1] ?? '';
        const answer = await carry({ operation, body: textOf(body) });
        const response = {
          statusCode: answer.status,
          headers: { 'content-type': 'application/x-amz-json-1.0' },
          body: Buffer.from(answer.body),
        };
        return { response };
      },
    },
  });

/** The sandbox's tables in memory, which answer as DynamoDB does. */
export const memoryTables = () => {
  const { handle, save, restore } = memoryDynamodb(sandboxTables, () => undefined);
  return {
    save,
    restore,
    async answer({ operation, body }: DynamodbRequest): Promise<DynamodbAnswer> {
      const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
      const answer = await handle({ method: 'POST', path: '/', headers, body: Buffer.from(body) });
      return { status: answer.status, body: Buffer.from(answer.body ?? '').toString() };
    },
  };
};

export const ToThread = z.object({
  id: z.int(),
  request: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('answer'), operation: z.string(), body: z.string() }),
    z.object({ kind: z.enum(['save', 'restore']), name: z.string() }),
  ]),
});
export type ToThread = z.infer<typeof ToThread>;

const FromThread = z.object({ id: z.int(), answer: z.object({ status: z.int(), body: z.string() }).optional() });

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
    const answering = send({ kind: 'answer', ...request });
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

export interface DynamodbRequest {
  readonly operation: string;
  readonly body: string;
}

export interface DynamodbAnswer {
  readonly status: number;
  readonly body: string;
}
