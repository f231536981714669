import { ConditionalCheckFailedException, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type CallfeedEvent, isMissed } from 'callfeed/contract';

/** A task: call a customer back whose call was missed. */
interface FollowUp {
  /** The account and the call: the key of the task, so that several events of a call make one task. */
  readonly call: string;
  readonly account: string;
  readonly callId: string;
  readonly missedAt: string;
  readonly skillName: string | undefined;
  /** Personal. Absent if the number was withheld, or if the deployment omits personal fields from events. */
  readonly customerNumber: string | undefined;
}

/** The task for an event, if it needs one. The stack's rules filter alike to keep the queue short; this decides. */
export const followUpOf = (event: CallfeedEvent): FollowUp | undefined => {
  if (!hasNewOutcome(event)) return undefined;
  const { account, callId, occurredAt, call } = event.detail;
  if (!isMissed(call)) return undefined;

  const { endedAt: missedAt = occurredAt, skillName, customerNumber } = call;
  return { call: `${account}#${callId}`, account, callId, missedAt, skillName, customerNumber };
};

type CallEvent = Extract<CallfeedEvent, { 'detail-type': 'Call Summary Recorded' | 'Call Summary Revised' }>;

/** Whether the event is the first with this outcome; later events of a call repeat the outcome. */
const hasNewOutcome = (event: CallfeedEvent): event is CallEvent =>
  event['detail-type'] === 'Call Summary Recorded' ||
  (event['detail-type'] === 'Call Summary Revised' &&
    ['status', 'type'].some((field) => event.detail.changedFields.includes(field)));

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
