import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { marshalled, type Row, unmarshalled } from '../../lib/storage/rows.ts';

/** A table, and how long each call to it may take, in milliseconds. */
export interface TableSettings {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly deadlineMs: number;
}

/** All rows of a partition in the order of their sort keys, or those between two of them, read consistently. */
export const queryRows =
  ({ client, tableName, deadlineMs }: TableSettings) =>
  async (pk: string, between?: { readonly from: string; readonly to: string }): Promise<readonly Row[]> => {
    const query: QueryCommandInput = {
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: between === undefined ? 'pk = :pk' : 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: marshalled({ ':pk': pk, ':from': between?.from, ':to': between?.to }),
    };

    const rows: Row[] = [];
    let after: QueryCommandInput['ExclusiveStartKey'];
    do {
      const command = new QueryCommand({ ...query, ...(after && { ExclusiveStartKey: after }) });
      const page = await client.send(command, { abortSignal: AbortSignal.timeout(deadlineMs) });
      rows.push(...(page.Items ?? []).map(unmarshalled));
      after = page.LastEvaluatedKey;
    } while (after !== undefined);
    return rows;
  };
