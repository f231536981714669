import { ConditionalCheckFailedException, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { FollowUp } from './follow-up.ts';

/** Far longer than a repeat can take: four days in the queue, and fourteen among the dead letters. */
const retentionDays = 90;

/**
 * Stores a task unless its call has one. One conditional write is both the task and the record of its call, so no crash can
 * come between them. Resolves with whether the task is new.
 */
export const storeTask = async (
  dynamodb: Pick<DynamoDBClient, 'send'>,
  tableName: string,
  task: FollowUp,
  now: Date,
): Promise<boolean> => {
  const expiresAt = Math.floor(now.getTime() / 1000) + retentionDays * 24 * 60 * 60;
  try {
    await dynamodb.send(
      new PutItemCommand({
        TableName: tableName,
        Item: marshall({ ...task, expiresAt }, { removeUndefinedValues: true }),
        ConditionExpression: 'attribute_not_exists(#call)',
        ExpressionAttributeNames: { '#call': 'call' },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};
