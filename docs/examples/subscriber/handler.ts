import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { NotACallfeedEvent, parseEvent } from 'callfeed/contract';
import { followUpOf } from './follow-up.ts';
import { keepTask } from './keep-task.ts';

const { TASKS_TABLE: tableName = '' } = process.env;
const dynamodb = new DynamoDBClient();

/** What is needed of a batch: few enough to be made by hand. */
export interface Batch {
  readonly Records: readonly Pick<SQSRecord, 'messageId' | 'body'>[];
}

/** Takes a batch. Only what failed comes again, and to the dead letters in the end. */
export const handler = async ({ Records }: Batch): Promise<SQSBatchResponse> => {
  const failures = await Promise.all(
    Records.map(async ({ messageId, body }) => {
      try {
        await take(body);
        return [];
      } catch (error) {
        console.error(JSON.stringify({ message: 'event not taken', messageId, reason: reasonOf(error) }));
        return [{ itemIdentifier: messageId }];
      }
    }),
  );

  return { batchItemFailures: failures.flat() };
};

const take = async (body: string): Promise<void> => {
  const task = followUpOf(parseEvent(JSON.parse(body)));
  if (task === undefined) return;

  const isNew = await keepTask(dynamodb, tableName, task, new Date());
  console.log(JSON.stringify({ message: isNew ? 'task made' : 'repeat passed over', callId: task.callId }));
};

/** A message of the contract's own error holds nothing of a person; what other errors say may. */
const reasonOf = (error: unknown): string => {
  if (error instanceof NotACallfeedEvent) return error.message;
  return error instanceof Error ? error.name : 'unknown';
};
