import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  type Put as PutInput,
  PutItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { CallRecord } from '../../lib/record/record.ts';
import { agentEntriesOf, rowOf, staleEntryKeys } from '../../lib/record/row.ts';
import type { CallStoreSettings } from './dynamo-call-store.ts';
import { type Item, marshalled } from './marshalling.ts';

/** What became of a write; `rival` carries the row that another wrote first, if DynamoDB showed it. */
export type Put =
  | { readonly kind: 'written' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'rival'; readonly row: Item | undefined };

interface Write {
  readonly record: CallRecord;
  /** The version that the record was made from; nothing else may be overwritten. */
  readonly replaces: CallRecord | undefined;
  readonly abortSignal: AbortSignal;
}

/** Writes a record and, for a call of several agents, the entries by which the further ones find it: all or nothing. */
export const writeRecord = async (settings: CallStoreSettings, write: Write): Promise<Put> => {
  const { client, tableName, retentionDays } = settings;
  const { record, replaces, abortSignal } = write;
  const row = rowOf(record, retentionDays);
  const put: PutInput = {
    TableName: tableName,
    Item: marshalled(row),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ...(replaces === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'version = :version',
          ExpressionAttributeValues: marshalled({ ':version': replaces.version }),
        }),
  };
  const others: readonly TransactWriteItem[] = [
    ...agentEntriesOf(record, row).map((entry) => ({ Put: { TableName: tableName, Item: marshalled(entry) } })),
    ...(replaces === undefined ? [] : staleEntryKeys(replaces, record)).map((key) => ({
      Delete: { TableName: tableName, Key: marshalled(key) },
    })),
  ];

  try {
    await (others.length === 0
      ? client.send(new PutItemCommand(put), { abortSignal })
      : client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put }, ...others] }), { abortSignal }));
    return { kind: 'written' };
  } catch (error) {
    return refusalOf(error);
  }
};

/** Another's transaction is on its way: starting again from nothing shows what it wrote. */
const unseenRival = { kind: 'rival', row: undefined } as const;

/** Tells what a failed write means for the record; anything but a rival or a row that can never be stored is a fault. */
const refusalOf = (error: unknown): Put => {
  if (error instanceof ConditionalCheckFailedException) return { kind: 'rival', row: error.Item };
  if (error instanceof TransactionCanceledException) {
    const [first, ...others] = error.CancellationReasons ?? [];
    if (first?.Code === 'ConditionalCheckFailed') return { kind: 'rival', row: first.Item };
    if ([first, ...others].some((reason) => reason?.Code === 'TransactionConflict')) return unseenRival;
    if ([first, ...others].some((reason) => reason?.Code === 'ValidationError')) return { kind: 'refused' };
  }
  if (error instanceof DynamoDBServiceException && error.name === 'TransactionConflictException') return unseenRival;
  if (error instanceof DynamoDBServiceException && error.name === 'ValidationException') return { kind: 'refused' };
  throw error;
};
