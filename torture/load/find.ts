import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshalled } from '../../functions/adapters/marshalling.ts';
import { parsed } from '../../lib/json/parsed.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import { Envelope } from '../../sandbox/bus/envelope.ts';
import { localClient } from '../../sandbox/local-client.ts';
import { tableNames } from '../../sandbox/tables.ts';
import type { SandboxChild } from '../sandbox/sandbox-child.ts';
import type { Found, FoundEvent } from './found.ts';

const rowsOf = async (client: DynamoDBClient, TableName: string): Promise<readonly Facts[]> => {
  const rows: Facts[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    rows.push(...Items.map(unmarshalled));
  return rows;
};

const eventOf = (line: string): FoundEvent => {
  const { detail, 'detail-type': type } = Envelope.parse(parsed(line));
  return { type, detail };
};

/** Reads, as any reader would, what there is: the tables through DynamoDB's port, the events as subscribers got them. */
export const find = async ({ addresses }: SandboxChild): Promise<Omit<Found, 'killedAfter'>> => {
  const client = new DynamoDBClient(localClient(addresses.dynamodb));
  try {
    const calls = await rowsOf(client, tableNames.calls);
    const quarantine = await rowsOf(client, tableNames.quarantine);
    const text = await (await fetch(addresses.events)).text();
    const events = text
      .split('\n')
      .filter((line) => line !== '')
      .map(eventOf);
    return { calls, quarantine, events };
  } finally {
    client.destroy();
  }
};
