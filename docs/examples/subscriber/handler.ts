import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { NotACallfeedEvent, parseEvent } from 'callfeed/contract';
import { followUpOf, storeTask } from './task.ts';

const { TASKS_TABLE: tableName = '' } = process.env;
const dynamodb = new DynamoDBClient();

/** The part of a batch that the handler needs, so that a test or the sandbox can make one. */
export interface Batch {
  readonly Records: readonly Pick<SQSRecord, 'messageId' | 'body'>[];
}

/** Handles a batch. Only failed events come again; after five failures they become dead letters. */
export const handler = async ({ Records }: Batch): Promise<SQSBatchResponse> => {
  const failures = await Promise.all(
    Records.map(async ({ messageId, body }) => {
      try {
        await handle(body);
        return [];
      } catch (error) {
        console.error(JSON.stringify({ message: 'event failed', messageId, reason: reasonOf(error) }));
        return [{ itemIdentifier: messageId }];
      }
    }),
  );

  return { batchItemFailures: failures.flat() };
};

const handle = async (body: string): Promise<void> => {
  const task = followUpOf(parseEvent(JSON.parse(body)));
  if (task === undefined) return;

  const isNew = await storeTask(dynamodb, tableName, task, new Date());
  console.log(JSON.stringify({ message: isNew ? 'task made' : 'repeat skipped', callId: task.callId }));
};

/** The message of the contract's own error has no personal data; messages of other errors may. */
const reasonOf = (error: unknown): string => {
  if (error instanceof NotACallfeedEvent) return error.message;
  return error instanceof Error ? error.name : 'unknown';
};
