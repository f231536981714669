import { type AttributeValue, type DynamoDBClient, paginateScan, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshalled } from '../../functions/adapters/marshalling.ts';
import { createTables } from '../../sandbox/dynamodb/create-tables.ts';
import type { Peer, PeerDeployment, StoredCall } from '../peers/peer.ts';
import { markPartition } from '../peers/running/table-stream.ts';
import type { WireRequest } from '../wire/wire-call.ts';

type Item = Readonly<Record<string, AttributeValue>>;

/** The tables of one deployment, as who looks into them finds them. */
export interface PeerTables {
  /** Whether a request writes to the table of calls. */
  storesCall(request: WireRequest): boolean;
  /** The call by its id. */
  call(id: string): Promise<StoredCall | undefined>;
  /** Every row of every table. */
  rows(): Promise<readonly Item[]>;
  /** Lets so much time pass that no run of before holds another one back. */
  outwait(): Promise<void>;
}

/** Creates the tables, and opens them. */
export const openPeerTables = async (
  client: DynamoDBClient,
  { callOf }: Pick<Peer, 'callOf'>,
  { tables, callsTable, locks }: PeerDeployment,
): Promise<PeerTables> => {
  await createTables(client, tables);

  const rowsIn = async (TableName: string): Promise<readonly Item[]> => {
    const rows: Item[] = [];
    for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
      rows.push(...Items);
    return rows.filter(({ pk }) => pk?.S !== markPartition);
  };

  return {
    storesCall: ({ operation, input }) =>
      ['PutItem', 'UpdateItem', 'TransactWriteItems', 'BatchWriteItem'].includes(operation) &&
      JSON.stringify(input).includes(JSON.stringify(callsTable)),
    call: async (id) =>
      (await rowsIn(callsTable)).map((row) => callOf(unmarshalled(row))).find((one) => one?.id === id),
    rows: async () => (await Promise.all(Object.keys(tables).map(rowsIn))).flat(),
    async outwait() {
      if (locks === undefined) return;
      const { table: TableName, until } = locks;
      const partition = tables[TableName]?.key.partition ?? '';
      for (const row of await rowsIn(TableName)) {
        const Key = Object.fromEntries(Object.entries(row).filter(([name]) => name === partition));
        const ExpressionAttributeNames = { '#until': until };
        const values = { ExpressionAttributeNames, ExpressionAttributeValues: { ':past': { N: '1' } } };
        await client.send(new UpdateItemCommand({ TableName, Key, UpdateExpression: 'SET #until = :past', ...values }));
      }
    },
  };
};
