import { ConditionalCheckFailedException, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { FollowUp } from './follow-up.ts';

/** Far longer than an event can take to come again: four days in the queue, fourteen among the dead letters. */
const keptDays = 90;

/**
 * Keeps a task unless it is there: one conditional write is both the task and the memory of its event, so that no crash
 * can come between them. Resolves with whether the task is new.
 */
export const keepTask = async (
  dynamodb: Pick<DynamoDBClient, 'send'>,
  tableName: string,
  task: FollowUp,
  now: Date,
): Promise<boolean> => {
  const expiresAt = Math.floor(now.getTime() / 1000) + keptDays * 24 * 60 * 60;
  try {
    await dynamodb.send(
      new PutItemCommand({
        TableName: tableName,
        Item: marshall({ ...task, expiresAt }, { removeUndefinedValues: true }),
        ConditionExpression: 'attribute_not_exists(eventId)',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};
