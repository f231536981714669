import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { AgentTable } from '../../lib/ports.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import { marshalled, unmarshalled } from './marshalling.ts';
import { writeEach } from './write-each.ts';
import { keyOf, writeVersionedRow } from './write-versioned-row.ts';

/** Where agents are kept, and how long a call to it may take. */
export interface AgentTableSettings {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly deadlineMs: number;
}

/** The agents' table. */
export const dynamoAgentTable = (settings: AgentTableSettings): AgentTable => ({
  async rows(pk, between) {
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
    writeEach(
      settings,
      rows.map((row) => ({ PutRequest: { Item: marshalled(row) } })),
    ),
  remove: (keys) =>
    writeEach(
      settings,
      keys.map((key) => ({ DeleteRequest: { Key: keyOf(key) } })),
    ),
});
