import {
  type AttributeValue,
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { keyItem, marshalled, type Row, type RowKey, unmarshalled } from '../lib/storage/rows.ts';
import type { QueryKey } from './query-keys.ts';

export type StoredItem = Record<string, AttributeValue>;

export interface Query extends QueryKey {
  readonly partition: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly isBackwards?: boolean;
  /** Reads only these attributes. DynamoDB charges for whole rows all the same, but sends less. */
  readonly fields?: readonly string[];
}

/** Which page of a query is asked for. */
export interface PageRequest {
  readonly after?: StoredItem | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The request for a page of a query. It has no filter, so every row that is paid for is returned. */
const queryInput = (query: Query, { after, limit }: PageRequest): Omit<QueryCommandInput, 'TableName'> => {
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

const sortCondition = ({ from, to }: Query): string => {
  if (from !== undefined && to !== undefined) return ' AND #sort BETWEEN :from AND :to';
  if (from !== undefined) return ' AND #sort >= :from';
  return to === undefined ? '' : ' AND #sort <= :to';
};

/** One request to DynamoDB, with what it read. */
export interface Read {
  readonly operation: 'Query' | 'GetItem' | 'BatchGetItem';
  readonly table: 'calls' | 'agents';
  readonly index: string | undefined;
  readonly rows: number;
  /** Read units, as DynamoDB counted them. */
  readonly units: number;
}

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
  readonly page: (query: Query, request: PageRequest) => Promise<QueryPage>;
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
  const report = (read: Omit<Read, 'table'>): void => onRead?.({ ...read, table });

  /** Reads as many of some rows as one request takes, and answers the keys that DynamoDB left unread. */
  const batchGet = async (keys: readonly StoredItem[]) => {
    const command = new BatchGetItemCommand({
      RequestItems: { [tableName]: { Keys: [...keys], ConsistentRead: true } },
      ...metered,
    });
    const { Responses = {}, UnprocessedKeys = {}, ConsumedCapacity = [] } = await dynamodb.send(command);
    // Not `Responses[tableName]`: for a table given by its ARN DynamoDB may answer with its name.
    const rows = Object.values(Responses).flat().map(unmarshalled);
    const units = ConsumedCapacity.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
    report({ operation: 'BatchGetItem', index: undefined, rows: rows.length, units });
    return { rows, unread: Object.values(UnprocessedKeys).flatMap(({ Keys = [] }) => Keys) };
  };

  return {
    async row({ pk, sk }) {
      const command = new GetItemCommand({ TableName: tableName, Key: marshalled({ pk, sk }), ...metered });
      const { Item, ConsumedCapacity } = await dynamodb.send(command);
      const units = ConsumedCapacity?.CapacityUnits ?? 0;
      report({ operation: 'GetItem', index: undefined, rows: Item === undefined ? 0 : 1, units });
      return Item && unmarshalled(Item);
    },
    async page(query, request) {
      const command = new QueryCommand({ TableName: tableName, ...queryInput(query, request), ...metered });
      const options = request.signal && { abortSignal: request.signal };
      const { Items = [], LastEvaluatedKey, ConsumedCapacity } = await dynamodb.send(command, options);
      const units = ConsumedCapacity?.CapacityUnits ?? 0;
      report({ operation: 'Query', index: query.index, rows: Items.length, units });
      return { rows: Items.map(unmarshalled), next: LastEvaluatedKey };
    },
    async rows(keys) {
      const found: Row[] = [];
      let keysLeft: readonly StoredItem[] = keys.map(keyItem);
      while (keysLeft.length > 0) {
        const { rows, unread } = await batchGet(keysLeft.slice(0, maxKeys));
        found.push(...rows);
        keysLeft = [...keysLeft.slice(maxKeys), ...unread];
        if (unread.length > 0) await pause(unreadPauseMs);
      }
      return found;
    },
  };
};

/** The pages of a query. Each costs one request, made when the loop asks for it. */
export async function* pages(
  reader: TableReader,
  query: Query,
  { after: first, ...request }: PageRequest = {},
): AsyncGenerator<QueryPage, void> {
  let after = first;
  do {
    const page = await reader.page(query, { ...request, after });
    yield page;
    after = page.next;
  } while (after !== undefined);
}

export const allRows = async (reader: TableReader, query: Query, signal?: AbortSignal): Promise<readonly Row[]> => {
  const all: Row[] = [];
  for await (const { rows } of pages(reader, query, { signal })) for (const row of rows) all.push(row);
  return all;
};

/** Reads the whole rows of entries of an index. */
export const wholeRows = (reader: TableReader, listed: readonly Row[]): Promise<readonly Row[]> =>
  reader.rows(listed.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));
