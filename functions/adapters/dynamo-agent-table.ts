import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  DynamoDBServiceException,
  type Put,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { AgentTable, Alongside, RowKey, VersionedRow } from '../../lib/agents/agent-rows.ts';
import { batchesByWeight } from '../../lib/core/batches.ts';
import type { Facts } from '../../lib/core/objects.ts';
import { jsonBytes } from '../../lib/core/parse-json.ts';
import { loggableError } from '../../lib/core/result.ts';
import { marshalled, unmarshalled } from './marshalling.ts';

/** DynamoDB takes 25 rows a call, and 16 MB of them: half of that is sent sooner than the deadline. */
const maxRows = 25;
const maxBytes = 8_000_000;

/** So many calls at once write the largest floor in seconds, and leave sockets for others. */
const maxConcurrentBatches = 16;

const firstPauseMs = 50;

/** No row weighs less than its share of a full batch, so that the one bound holds both. */
const weightOf = (request: WriteRequest): number => Math.max(maxBytes / maxRows, jsonBytes(request));

/**
 * Writes rows each on its own, many at a time. When it throws, it has begun nothing more and waited for what it had
 * begun: a write that came in late could undo that of a later run.
 */
export const writeInBatches = async (
  settings: AgentTableSettings,
  requests: readonly WriteRequest[],
): Promise<void> => {
  const left = iteratorOf(batchesByWeight(requests, maxBytes, weightOf));
  const lane = async () => {
    for (const batch of left) await writeBatch(settings, batch);
  };
  const results = await Promise.allSettled(Array.from({ length: maxConcurrentBatches }, lane));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};

/** A generator, since that ends for all lanes when one of them throws. */
function* iteratorOf<Item>(items: readonly Item[]): Generator<Item, void> {
  yield* items;
}

/** BatchWriteItem succeeds as a call while single rows are left unwritten, so those are sent again until the deadline. */
const writeBatch = async (
  { client, tableName, deadlineMs }: AgentTableSettings,
  batch: readonly WriteRequest[],
): Promise<void> => {
  const abortSignal = AbortSignal.timeout(deadlineMs);
  let left = batch;
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: [...left] } });
    const { UnprocessedItems: unwritten } = await client.send(command, { abortSignal });
    left = unwritten?.[tableName] ?? [];
    if (left.length === 0) return;

    await pause(pauseMs, undefined, { signal: abortSignal }).catch(() => undefined);
    if (abortSignal.aborted) throw loggableError(`DynamoDB left ${left.length} of ${batch.length} rows unwritten`);
  }
};

const nothingAlongside: Alongside = { puts: [], removes: [] };

/** The key alone, of a row or of what is more than a key. */
const keyOf = ({ pk, sk }: RowKey) => marshalled({ pk, sk });

/** Writes the next version of a row, in a transaction only if other rows have to come or go with it: those cost double. */
const writeVersionedRow = async (
  { client, tableName, deadlineMs }: AgentTableSettings,
  guard: VersionedRow,
  { puts, removes }: Alongside = nothingAlongside,
): Promise<'written' | 'conflict'> => {
  const put: Put = { TableName: tableName, Item: marshalled(guard), ...ifVersionIs(guard.version - 1) };
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
    if (isConflict(error)) return 'conflict';
    throw error;
  }
};

const ifVersionIs = (version: number): Pick<Put, 'ConditionExpression' | 'ExpressionAttributeValues'> =>
  version === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'version = :before', ExpressionAttributeValues: marshalled({ ':before': version }) };

const conflictErrors = new Set([
  'ConditionalCheckFailedException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

const conflictReasons = new Set(['ConditionalCheckFailed', 'TransactionConflict']);

/**
 * Whether somebody else was first. Who is writing these rows at this moment counts as such: they will have written by
 * the time that this run could look again. So does this run's own write when its answer was lost and the SDK's second
 * try met it. That costs a slot; to take it for written would let two runs believe that the same slot is theirs.
 */
const isConflict = (error: unknown): boolean => {
  if (error instanceof TransactionCanceledException)
    return (error.CancellationReasons ?? []).some(({ Code = '' }) => conflictReasons.has(Code));
  return error instanceof DynamoDBServiceException && conflictErrors.has(error.name);
};

/** Where agents are kept, and how long a call to it may take. */
export interface AgentTableSettings {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly deadlineMs: number;
}

/** The agents' table. */
export const dynamoAgentTable = (settings: AgentTableSettings): AgentTable => ({
  async query(pk, between) {
    const { client, tableName, deadlineMs } = settings;
    const query: QueryCommandInput = {
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: between === undefined ? 'pk = :pk' : 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: marshalled({ ':pk': pk, ':from': between?.from, ':to': between?.to }),
    };

    const rows: Facts[] = [];
    let after: QueryCommandInput['ExclusiveStartKey'];
    do {
      const command = new QueryCommand({ ...query, ...(after && { ExclusiveStartKey: after }) });
      const page = await client.send(command, { abortSignal: AbortSignal.timeout(deadlineMs) });
      rows.push(...(page.Items ?? []).map(unmarshalled));
      after = page.LastEvaluatedKey;
    } while (after !== undefined);
    return rows;
  },
  write: (guard, together) => writeVersionedRow(settings, guard, together),
  put: (rows) =>
    writeInBatches(
      settings,
      rows.map((row) => ({ PutRequest: { Item: marshalled(row) } })),
    ),
  remove: (keys) =>
    writeInBatches(
      settings,
      keys.map((key) => ({ DeleteRequest: { Key: keyOf(key) } })),
    ),
});
