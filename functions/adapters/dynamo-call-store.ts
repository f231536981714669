import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  type Put as PutInput,
  PutItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { applyDelivery, type CallRecord } from '../../lib/calls/call-record.ts';
import { agentEntriesOf, recordOf, rowOf, staleEntryKeys } from '../../lib/calls/call-row.ts';
import type { CallStore } from '../../lib/calls/call-store.ts';
import { loggableError } from '../../lib/core/result.ts';
import type { Clock } from '../../lib/telemetry/metrics.ts';
import { type Item, marshalled, unmarshalled } from './marshalling.ts';

/** What became of a write; `rival` carries the row that another wrote first, if DynamoDB showed it. */
export type WriteOutcome =
  | { readonly kind: 'written' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'rival'; readonly row: Item | undefined };

interface CallWrite {
  readonly record: CallRecord;
  /** The version that the record was made from; nothing else may be overwritten. */
  readonly replaces: CallRecord | undefined;
  readonly abortSignal: AbortSignal;
}

/** Writes a record and, for a call of several agents, the entries by which the further ones find it: all or nothing. */
const writeRecord = async (settings: CallStoreSettings, write: CallWrite): Promise<WriteOutcome> => {
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
    return outcomeOfError(error);
  }
};

/** Another's transaction is on its way: starting again from nothing shows what it wrote. */
const unseenConflict = { kind: 'rival', row: undefined } as const;

/** Tells what a failed write means for the record; anything but a rival or a row that can never be stored is a fault. */
const outcomeOfError = (error: unknown): WriteOutcome => {
  if (error instanceof ConditionalCheckFailedException) return { kind: 'rival', row: error.Item };
  if (error instanceof TransactionCanceledException) {
    const [first, ...others] = error.CancellationReasons ?? [];
    if (first?.Code === 'ConditionalCheckFailed') return { kind: 'rival', row: first.Item };
    if ([first, ...others].some((reason) => reason?.Code === 'TransactionConflict')) return unseenConflict;
    if ([first, ...others].some((reason) => reason?.Code === 'ValidationError')) return { kind: 'rejected' };
  }
  if (error instanceof DynamoDBServiceException && error.name === 'TransactionConflictException') return unseenConflict;
  if (error instanceof DynamoDBServiceException && error.name === 'ValidationException') return { kind: 'rejected' };
  throw error;
};

/** Where calls are kept, and for how many days. */
export interface CallStoreSettings {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly retentionDays: number;
  readonly clock: Clock;
}

/** Deliveries of one call that come at once write in turn; more rivals than this is a fault. */
const maxAttempts = 20;

/**
 * The calls' table. A new call costs one conditional write. If the row is there already, the refused write answers it:
 * a repeat is known from it without a read, a revision is written over that very version or tried again.
 */
export const dynamoCallStore = (settings: CallStoreSettings): CallStore => ({
  async record(key, delivery, abortSignal) {
    let known: CallRecord | undefined;

    for (let turn = 0; turn < maxAttempts; turn++) {
      const { outcome, record } = applyDelivery(key, known, delivery, settings.clock().toISOString());
      if (record === known) return outcome;

      const put = await writeRecord(settings, { record, replaces: known, abortSignal });
      if (put.kind === 'rejected') return 'rejected';
      if (put.kind === 'written') return outcome;
      known = put.row && recordOf(unmarshalled(put.row));
    }
    throw loggableError(`The row was changed by others ${maxAttempts} times in a row`);
  },
});
