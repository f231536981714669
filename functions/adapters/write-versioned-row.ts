import {
  DynamoDBServiceException,
  type Put,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { RowKey } from '../../lib/floor/keys.ts';
import type { Together, VersionedRow } from '../../lib/ports.ts';
import type { AgentTableSettings } from './dynamo-agent-table.ts';
import { marshalled } from './marshalling.ts';

const alone: Together = { puts: [], removes: [] };

/** The key alone, of a row or of what is more than a key. */
export const keyOf = ({ pk, sk }: RowKey) => marshalled({ pk, sk });

/** Writes the next version of a row, in a transaction only if other rows have to come or go with it: those cost double. */
export const writeVersionedRow = async (
  { client, tableName, deadlineMs }: AgentTableSettings,
  guard: VersionedRow,
  { puts, removes }: Together = alone,
): Promise<'written' | 'overtaken'> => {
  const put: Put = { TableName: tableName, Item: marshalled(guard), ...onlyAfter(guard.version - 1) };
  const others = [
    ...puts.map((row) => ({ Put: { TableName: tableName, Item: marshalled(row) } })),
    ...removes.map((key) => ({ Delete: { TableName: tableName, Key: keyOf(key) } })),
  ];
  const abortSignal = AbortSignal.timeout(deadlineMs);

  try {
    await (others.length === 0
      ? client.send(new PutItemCommand(put), { abortSignal })
      : client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put }, ...others] }), { abortSignal }));
    return 'written';
  } catch (error) {
    if (isOvertaken(error)) return 'overtaken';
    throw error;
  }
};

const onlyAfter = (version: number): Pick<Put, 'ConditionExpression' | 'ExpressionAttributeValues'> =>
  version === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'version = :before', ExpressionAttributeValues: marshalled({ ':before': version }) };

const refusals = new Set([
  'ConditionalCheckFailedException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

const reasons = new Set(['ConditionalCheckFailed', 'TransactionConflict']);

/**
 * Whether somebody else was first. Who is writing these rows at this moment counts as such: they will have written by
 * the time that this run could look again. So does this run's own write when its answer was lost and the SDK's second
 * try met it. That costs a slot; to take it for written would let two runs believe that the same slot is theirs.
 */
const isOvertaken = (error: unknown): boolean => {
  if (error instanceof TransactionCanceledException)
    return (error.CancellationReasons ?? []).some(({ Code = '' }) => reasons.has(Code));
  return error instanceof DynamoDBServiceException && refusals.has(error.name);
};
