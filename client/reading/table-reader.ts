import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type Item, marshalled, unmarshalled } from '../../functions/adapters/marshalling.ts';
import type { RowKey } from '../../lib/floor/keys.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import type { Read } from '../read.ts';
import { type Portion, type Query, queryInput } from './query.ts';

/** How a table is reached, and who is told of each request. */
export interface TableAccess {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly table: Read['table'];
  readonly tableName: string;
  readonly onRead: ((read: Read) => void) | undefined;
}

/** What one request of a query answered; `next` is where the next one goes on, if there is more. */
export interface Answer {
  readonly rows: readonly Facts[];
  readonly next: Item | undefined;
}

/** Reads a table by its keys. Eventually consistent: half the price, and the rows are seconds old anyway. */
export interface TableReader {
  /** One GetItem. */
  readonly row: (key: RowKey) => Promise<Facts | undefined>;
  /** One request of a Query. */
  readonly portion: (query: Query, portion: Portion) => Promise<Answer>;
}

/** Reads a table with a client of DynamoDB, whose errors come through as they are. */
export const tableReader = ({ dynamodb, table, tableName, onRead }: TableAccess): TableReader => {
  const metered = onRead && ({ ReturnConsumedCapacity: 'TOTAL' } as const);
  return {
    async row({ pk, sk }) {
      const command = new GetItemCommand({ TableName: tableName, Key: marshalled({ pk, sk }), ...metered });
      const { Item, ConsumedCapacity } = await dynamodb.send(command);
      const units = ConsumedCapacity?.CapacityUnits ?? 0;
      onRead?.({ operation: 'GetItem', table, index: undefined, rows: Item === undefined ? 0 : 1, units });
      return Item && unmarshalled(Item);
    },
    async portion(query, portion) {
      const command = new QueryCommand({ TableName: tableName, ...queryInput(query, portion), ...metered });
      const {
        Items = [],
        LastEvaluatedKey,
        ConsumedCapacity,
      } = await dynamodb.send(command, {
        ...(portion.signal && { abortSignal: portion.signal }),
      });
      const units = ConsumedCapacity?.CapacityUnits ?? 0;
      onRead?.({ operation: 'Query', table, index: query.index, rows: Items.length, units });
      return { rows: Items.map(unmarshalled), next: LastEvaluatedKey };
    },
  };
};

/** All rows of a query: one request unless they are more than 1 MB. */
export const allRows = async (reader: TableReader, query: Query, signal?: AbortSignal): Promise<readonly Facts[]> => {
  const { rows, next } = await reader.portion(query, { signal });
  const all = [...rows];
  for (let after = next; after !== undefined; ) {
    const answer = await reader.portion(query, { after, signal });
    for (const row of answer.rows) all.push(row);
    after = answer.next;
  }
  return all;
};
