import {
  ConditionalCheckFailedException,
  type Delete,
  DynamoDBServiceException,
  type Put as PutInput,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { CallRecord } from '../../lib/record/record.ts';
import { agentEntriesOf, rowOf } from '../../lib/record/row.ts';
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
  const row: PutInput = {
    TableName: tableName,
    Item: marshalled(rowOf(record, retentionDays)),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ...(replaces === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'version = :version',
          ExpressionAttributeValues: marshalled({ ':version': replaces.version }),
        }),
  };
  const entries = agentEntriesOf(record, retentionDays).map(marshalled);
  const stale = staleEntries(settings, replaces, entries);

  try {
    if (entries.length + stale.length === 0) await client.send(new PutItemCommand(row), { abortSignal });
    else
      await client.send(
        new TransactWriteItemsCommand({
          TransactItems: [
            { Put: row },
            ...entries.map((Item) => ({ Put: { TableName: tableName, Item } })),
            ...stale.map((entry) => ({ Delete: entry })),
          ],
        }),
        { abortSignal },
      );
    return { kind: 'written' };
  } catch (error) {
    return refusalOf(error);
  }
};

const staleEntries = (
  { tableName, retentionDays }: CallStoreSettings,
  replaces: CallRecord | undefined,
  entries: readonly Item[],
): readonly Delete[] => {
  const kept = new Set(entries.map(({ sk }) => sk?.S));
  const before = replaces === undefined ? [] : agentEntriesOf(replaces, retentionDays).map(marshalled);
  return before
    .filter(({ sk }) => !kept.has(sk?.S))
    .map(({ pk = { S: '' }, sk = { S: '' } }) => ({ TableName: tableName, Key: { pk, sk } }));
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
