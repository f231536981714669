import { Worker } from 'node:worker_threads';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { carriedDynamodb } from './carried-dynamodb.ts';
import { FromThread, type ToThread } from './thread-messages.ts';

/** The tables of a function that is measured. */
export interface StandIn {
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
export const startStandIn = (onWait: () => void): StandIn => {
  const thread = new Worker(new URL('./thread.ts', import.meta.url));
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

  const dynamodb = carriedDynamodb(async (request) => {
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
