import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchGetItemCommand,
  type CancellationReason,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  type Put,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { batches } from '../../lib/core/collections.ts';
import {
  keyItem,
  marshalled,
  type PutResult,
  type Row,
  type RowKey,
  unmarshalled,
  type VersionedRows,
} from '../../lib/storage/rows.ts';

/** A table of versioned rows. A row alone is a plain put: a transaction costs double. */
export const dynamoVersionedRows = (client: Pick<DynamoDBClient, 'send'>, TableName: string): VersionedRows => ({
  async putNextVersion(row, { puts, removes }, abortSignal) {
    const put: Put = {
      TableName,
      Item: marshalled(row),
      ...ifVersionIs(row.version - 1),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    };
    const others: readonly TransactWriteItem[] = [
      ...puts.map((other) => ({ Put: { TableName, Item: marshalled(other) } })),
      ...removes.map((key) => ({ Delete: { TableName, Key: keyItem(key) } })),
    ];

    try {
      await (others.length === 0
        ? client.send(new PutItemCommand(put), { abortSignal })
        : client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put }, ...others] }), { abortSignal }));
      return { kind: 'written' };
    } catch (error) {
      return resultOf(error);
    }
  },
});

const ifVersionIs = (version: number): Pick<Put, 'ConditionExpression' | 'ExpressionAttributeValues'> =>
  version === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'version = :version', ExpressionAttributeValues: marshalled({ ':version': version }) };

/** Another writer was first or is under way; so is our own retry of a put whose answer got lost. */
const conflicts = /^(ConditionalCheckFailed|TransactionConflict|TransactionInProgress)(Exception)?$/;

/** Errors and cancellation reasons that come again however often the put is tried. */
const rejections = /^Validation(Error|Exception)$/;

/** Classifies the error of a failed put. Throws what is neither a conflict nor a rejection: it is a fault. */
const resultOf = (error: unknown): PutResult => {
  const reasons = reasonsOf(error);
  const conflict = reasons.find(({ Code = '' }) => conflicts.test(Code));
  if (conflict !== undefined) return { kind: 'conflict', row: conflict.Item && unmarshalled(conflict.Item) };
  if (reasons.some(({ Code = '' }) => rejections.test(Code))) return { kind: 'rejected' };
  throw error;
};

/** A cancelled transaction has a reason for each of its rows, and shows the row whose condition failed. */
const reasonsOf = (error: unknown): readonly CancellationReason[] => {
  if (error instanceof TransactionCanceledException) return error.CancellationReasons ?? [];
  if (error instanceof ConditionalCheckFailedException) return [{ Code: error.name, Item: error.Item }];
  return error instanceof DynamoDBServiceException ? [{ Code: error.name }] : [];
};

/** BatchGetItem takes 100 keys a call. It may leave some of them unread, which are requested again. */
const maxKeys = 100;
const unreadPauseMs = 100;

/** Reads the rows with some keys, in no order; those that do not exist are left out. */
export const readRows =
  (client: Pick<DynamoDBClient, 'send'>, tableName: string) =>
  async (keys: readonly RowKey[], abortSignal: AbortSignal): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for (const batch of batches(keys, ({ length }) => length < maxKeys)) {
      let Keys: Record<string, AttributeValue>[] = batch.map(keyItem);
      while (Keys.length > 0) {
        const command = new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys } } });
        const { Responses, UnprocessedKeys } = await client.send(command, { abortSignal });
        // A table that was named may come back by its ARN, and the other way round.
        rows.push(
          ...Object.values(Responses ?? {})
            .flat()
            .map(unmarshalled),
        );
        Keys = Object.values(UnprocessedKeys ?? {}).flatMap((unread) => unread.Keys ?? []);
        if (Keys.length > 0) await pause(unreadPauseMs, undefined, { signal: abortSignal });
      }
    }
    return rows;
  };

export interface TableSettings {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly deadlineMs: number;
}

/** All rows of a partition in the order of their sort keys, or those between two of them, read consistently. */
export const queryRows =
  ({ client, tableName, deadlineMs }: TableSettings) =>
  async (pk: string, between?: { readonly from: string; readonly to: string }): Promise<readonly Row[]> => {
    const query: QueryCommandInput = {
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: between === undefined ? 'pk = :pk' : 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: marshalled({ ':pk': pk, ':from': between?.from, ':to': between?.to }),
    };

    const rows: Row[] = [];
    let after: QueryCommandInput['ExclusiveStartKey'];
    do {
      const command = new QueryCommand({ ...query, ...(after && { ExclusiveStartKey: after }) });
      const page = await client.send(command, { abortSignal: AbortSignal.timeout(deadlineMs) });
      rows.push(...(page.Items ?? []).map(unmarshalled));
      after = page.LastEvaluatedKey;
    } while (after !== undefined);
    return rows;
  };
