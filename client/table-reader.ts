import {
  type AttributeValue,
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { $ZodObject } from 'zod/v4/core';
import * as contract from '../lib/contract/rows.ts';
import { withInner } from '../lib/storage/field.ts';
import { keyItem, marshalled, type Row, type RowKey, unmarshalled } from '../lib/storage/rows.ts';
import { agentsTable, callsTable, type Key, type Table } from '../lib/storage/tables.ts';

export type StoredItem = Record<string, AttributeValue>;

export interface QueryKey {
  readonly key: Required<Key>;
  readonly index?: string;
}

export interface Query extends QueryKey {
  readonly partition: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly isBackwards?: boolean;
  /** Reads only these attributes. DynamoDB charges for whole rows all the same, but sends less. */
  readonly fields?: readonly string[];
}

export interface Portion {
  readonly after?: StoredItem | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const sortCondition = ({ from, to }: Query): string => {
  if (from !== undefined && to !== undefined) return ' AND #sort BETWEEN :from AND :to';
  if (from !== undefined) return ' AND #sort >= :from';
  return to === undefined ? '' : ' AND #sort <= :to';
};

/** The request for a portion of a query. It has no filter, so every row that is paid for is returned. */
const queryInput = (query: Query, { after, limit }: Portion): Omit<QueryCommandInput, 'TableName'> => {
  const { key, index, partition, from, to, isBackwards = false, fields = [] } = query;
  const onSort = sortCondition(query);
  return {
    IndexName: index,
    KeyConditionExpression: `#partition = :partition${onSort}`,
    ExpressionAttributeNames: {
      '#partition': key.partition,
      ...(onSort !== '' && { '#sort': key.sort }),
      ...Object.fromEntries(fields.map((name) => [`#${name}`, name])),
    },
    ...(fields.length > 0 && { ProjectionExpression: fields.map((name) => `#${name}`).join(', ') }),
    ExpressionAttributeValues: marshalled({ ':partition': partition, ':from': from, ':to': to }),
    ScanIndexForward: isBackwards ? false : undefined,
    ExclusiveStartKey: after,
    Limit: limit,
  };
};

export interface TableAccess {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly table: Read['table'];
  readonly tableName: string;
  readonly onRead: ((read: Read) => void) | undefined;
  /** Waits before what DynamoDB left unread is requested again. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

export interface QueryPage {
  readonly rows: readonly Row[];
  readonly next: StoredItem | undefined;
}

/** Reads a table by its keys. Eventually consistent: half the price, and the rows are seconds old anyway. */
export interface TableReader {
  readonly row: (key: RowKey) => Promise<Row | undefined>;
  readonly portion: (query: Query, portion: Portion) => Promise<QueryPage>;
  /**
   * The rows with these keys that exist, in any order: one BatchGetItem for each 100, and more if DynamoDB is busy.
   * Consistent: a row that an index has may not be missing here.
   */
  readonly rows: (keys: readonly RowKey[]) => Promise<readonly Row[]>;
}

/** BatchGetItem takes 100 keys a call. It may leave some of them unread. */
const maxKeys = 100;
const unreadPauseMs = 100;

export const tableReader = ({ dynamodb, table, tableName, onRead, pause }: TableAccess): TableReader => {
  const metered = onRead && ({ ReturnConsumedCapacity: 'TOTAL' } as const);
  const report = (operation: Read['operation'], rows: number, units = 0, index?: string): void =>
    onRead?.({ operation, table, index, rows, units });
  return {
    async row({ pk, sk }) {
      const command = new GetItemCommand({ TableName: tableName, Key: marshalled({ pk, sk }), ...metered });
      const { Item, ConsumedCapacity } = await dynamodb.send(command);
      report('GetItem', Item === undefined ? 0 : 1, ConsumedCapacity?.CapacityUnits);
      return Item && unmarshalled(Item);
    },
    async portion(query, portion) {
      const command = new QueryCommand({ TableName: tableName, ...queryInput(query, portion), ...metered });
      const options = portion.signal && { abortSignal: portion.signal };
      const { Items = [], LastEvaluatedKey, ConsumedCapacity } = await dynamodb.send(command, options);
      report('Query', Items.length, ConsumedCapacity?.CapacityUnits, query.index);
      return { rows: Items.map(unmarshalled), next: LastEvaluatedKey };
    },
    async rows(keys) {
      const found: Row[] = [];
      let left: readonly StoredItem[] = keys.map(keyItem);
      while (left.length > 0) {
        const requested = { [tableName]: { Keys: left.slice(0, maxKeys), ConsistentRead: true } };
        const command = new BatchGetItemCommand({ RequestItems: requested, ...metered });
        const { Responses = {}, UnprocessedKeys = {}, ConsumedCapacity = [] } = await dynamodb.send(command);
        // An ARN may come back as the name.
        const rows = Object.values(Responses).flat().map(unmarshalled);
        const units = ConsumedCapacity.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
        report('BatchGetItem', rows.length, units);
        found.push(...rows);
        const unread = Object.values(UnprocessedKeys).flatMap(({ Keys = [] }) => Keys);
        left = [...left.slice(maxKeys), ...unread];
        if (unread.length > 0) await pause(unreadPauseMs);
      }
      return found;
    },
  };
};

/** The portions of a query, one request each, as many as are asked for. */
export async function* portions(
  reader: TableReader,
  query: Query,
  { after: first, ...portion }: Portion = {},
): AsyncGenerator<QueryPage, void> {
  let after = first;
  do {
    const page = await reader.portion(query, { ...portion, after });
    yield page;
    after = page.next;
  } while (after !== undefined);
}

export const allRows = async (reader: TableReader, query: Query, signal?: AbortSignal): Promise<readonly Row[]> => {
  const all: Row[] = [];
  for await (const { rows } of portions(reader, query, { signal })) for (const row of rows) all.push(row);
  return all;
};

/** The whole rows of what an index has of them, as `TableReader.rows` reads them. */
export const wholeRows = (reader: TableReader, listed: readonly Row[]): Promise<readonly Row[]> =>
  reader.rows(listed.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));

const indexOf = ({ indexes }: Table, name: string): Required<QueryKey> => {
  const found = indexes.find((index) => index.name === name);
  if (found === undefined) throw new Error(`No index ${name} is declared`);
  return { key: found.key, index: found.name };
};

export const tableKey: QueryKey = { key: { partition: 'pk', sort: 'sk' } };

export const byState = indexOf(agentsTable, 'byState');
export const byTime = indexOf(callsTable, 'byTime');
export const byCustomer = indexOf(callsTable, 'byCustomer');
export const byAgent = indexOf(callsTable, 'byAgent');
export const byLateRecording = indexOf(callsTable, 'byLateRecording');

/** One request to DynamoDB, with what it read. */
export interface Read {
  readonly operation: 'Query' | 'GetItem' | 'BatchGetItem';
  readonly table: 'calls' | 'agents';
  readonly index: string | undefined;
  readonly rows: number;
  /** Read units, as DynamoDB counted them. */
  readonly units: number;
}

/** The schema, open at any depth: it ignores fields that a later version may have added. */
const openToAdditions = <Declared extends z.core.$ZodType>(schema: Declared): Declared => {
  const opened = withInner(schema, openToAdditions) ?? schema;
  return opened instanceof $ZodObject ? z.clone(opened, { ...opened._zod.def, catchall: undefined }) : opened;
};

/**
 * Thrown for a row that is not as this version of the client declares it. Something else wrote it, or a version of
 * Callfeed that changed its fields. Names the kind of row and the fields, and never a value.
 */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
  /** The kind of row, by its name in the contract, such as `AgentNow`. */
  readonly row: string;
  /** The fields that are not as declared. */
  readonly fields: readonly string[];

  constructor(row: string, fields: readonly string[]) {
    super(`A row ${row} is not as this version of the client declares it: ${fields.join(', ')}`);
    this.row = row;
    this.fields = fields;
  }
}

/** Makes a reader of one kind of row, without keys and unknown fields. It throws an UnreadableRow. */
export const rowReader = <Schema extends z.ZodMiniType>(name: keyof typeof contract.rows, declared: Schema) => {
  const schema = openToAdditions(declared);
  return (row: Row): z.output<Schema> => {
    const read = schema.safeParse(row);
    if (read.success) return read.data;
    // Only top-level names: deeper ones may be the sender's data, such as undocumented fields.
    throw new UnreadableRow(name, [...new Set(read.error.issues.map(({ path }) => String(path[0] ?? 'row')))]);
  };
};

export const readStoredCall = rowReader('Call', contract.Call);
export const readCallParticipant = rowReader('CallParticipant', contract.CallParticipant);
export const readListedCall = rowReader('ListedCall', contract.ListedCall);
export const readAgentNow = rowReader('AgentNow', contract.AgentNow);
export const readAgentInState = rowReader('AgentInState', contract.AgentInState);
export const readFeedNow = rowReader('FeedNow', contract.FeedNow);
export const readAgentInterval = rowReader('AgentInterval', contract.AgentInterval);
export const readSnapshotPart = rowReader('FloorSnapshot', contract.FloorSnapshot);
export const readSnapshotCounts = rowReader('FloorSnapshot', z.omit(contract.FloorSnapshot, { agents: true }));
export const readFeedChange = rowReader('FeedChange', contract.FeedChange);
