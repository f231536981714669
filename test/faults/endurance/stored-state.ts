import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshalled } from '../../../functions/adapters/marshalling.ts';
import type { Facts } from '../../../lib/core/objects.ts';
import { tryParseJson } from '../../../lib/core/parse-json.ts';
import { Envelope } from '../../../sandbox/bus/event-log.ts';
import { localClient, tableNames } from '../../../sandbox/local-aws.ts';
import type { SandboxChild } from '../sandbox/sandbox-child.ts';

/** An event as subscribers got it; its place in the list is that in which the bus took it. */
export interface StoredEvent {
  readonly type: string;
  readonly detail: Facts;
}

/** What there is in the end. */
export interface StoredState {
  /** The calls' table: legs, participants, entries of indexes. */
  readonly calls: readonly Facts[];
  readonly quarantine: readonly Facts[];
  readonly events: readonly StoredEvent[];
  /** How many events there were each time the sandbox was killed. */
  readonly killedAfter: readonly number[];
}

const rowsOf = async (client: DynamoDBClient, TableName: string): Promise<readonly Facts[]> => {
  const rows: Facts[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    rows.push(...Items.map(unmarshalled));
  return rows;
};

const eventOf = (line: string): StoredEvent => {
  const { detail, 'detail-type': type } = Envelope.parse(tryParseJson(line));
  return { type, detail };
};

/** Reads, as any reader would, what there is: the tables through DynamoDB's port, the events as subscribers got them. */
export const readStoredState = async ({ addresses }: SandboxChild): Promise<Omit<StoredState, 'killedAfter'>> => {
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
