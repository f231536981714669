import { Worker } from 'node:worker_threads';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { clientSettings } from '../../../functions/adapters/aws-clients.ts';
import { localClient } from '../../../sandbox/local-aws.ts';

/** What the SDK hands over, as far as it is looked at. */
interface SdkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The SDK's bytes act as text too, and warn whoever takes them for text: they are taken by their place in memory. */
const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();

/** A client as deployed, which serialises and signs every request, but for the network: `carry` takes them there. */
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

/** What the thread of the tables is asked. */
export const ToThread = z.object({
  id: z.int(),
  ask: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('answer'), operation: z.string(), body: z.string() }),
    z.object({ kind: z.enum(['keep', 'restore']), name: z.string() }),
  ]),
});
export type ToThread = z.infer<typeof ToThread>;

/** What it says when that is done. */
const FromThread = z.object({
  id: z.int(),
  answer: z.object({ status: z.literal([200, 400]), body: z.string() }).optional(),
});

/** The tables of a function that is measured. */
export interface ThreadedTables {
  readonly dynamodb: DynamoDBClient;
  /** Remembers what is in the tables under a name. */
  keep(name: string): Promise<void>;
  /** Brings that back; empties the tables where nothing was kept under that name. */
  restore(name: string): Promise<void>;
  stop(): Promise<void>;
}

type Reply = (content: ReturnType<typeof FromThread.parse>) => void;

/**
 * Starts tables in a thread of their own. `onWait` is called whenever a function has asked them something. What they
 * cannot answer ends this process, as no figure would mean anything then.
 */
export const startThreadedTables = (onWait: () => void): ThreadedTables => {
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

  const asked = (ask: ToThread['ask']): Promise<Parameters<Reply>[0]> =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      thread.postMessage({ id: count, ask });
    });

  const dynamodb = memoryClient(async (request) => {
    const asking = asked({ kind: 'answer', ...request });
    onWait();
    const { answer } = await asking;
    if (answer === undefined) throw new Error('The tables did not answer');
    return answer;
  });

  return {
    dynamodb,
    keep: async (name) => void (await asked({ kind: 'keep', name })),
    restore: async (name) => void (await asked({ kind: 'restore', name })),
    stop: async () => void (await thread.terminate()),
  };
};

/** What a DynamoDB client asks for: the operation by its name, and its JSON. */
export interface DynamodbRequest {
  readonly operation: string;
  readonly body: string;
}

/** What it is answered, as DynamoDB does: 200, or 400 and what was wrong. */
export interface DynamodbAnswer {
  readonly status: 200 | 400;
  readonly body: string;
}

/** A successful answer. */
export const answered = (output: object): DynamodbAnswer => ({ status: 200, body: JSON.stringify(output) });

/** A refusal; some tell more than their type. */
export const rejected = (type: string, more: object = {}): DynamodbAnswer => ({
  status: 400,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type, ...more }),
});
