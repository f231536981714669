import { ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import type { Deployment } from '../connection/deployment.ts';

/** How many entries quarantine has; at least so many where counting them all would read too much. */
export interface QuarantineCount {
  readonly entries: number;
  readonly isAtLeast: boolean;
  /** How often was asked, and what that took in read units. */
  readonly requests: number;
  readonly units: number;
}

/** A page is 1 MB, and 128 read units. */
const mostPages = 10;

/** Counts the entries, of which the rows that count strangers' posts are none. */
export const quarantineCount = async ({
  dynamodb,
  tables,
}: Pick<Deployment, 'dynamodb' | 'tables'>): Promise<QuarantineCount> => {
  const scan = {
    TableName: tables.quarantine,
    Select: 'COUNT',
    FilterExpression: 'attribute_exists(#reason)',
    ExpressionAttributeNames: { '#reason': 'reason' },
    ReturnConsumedCapacity: 'TOTAL',
  } as const satisfies ScanCommandInput;
  let after: ScanCommandInput['ExclusiveStartKey'];
  let [entries, units, requests] = [0, 0, 0];
  do {
    const page = await dynamodb.send(new ScanCommand({ ...scan, ...(after && { ExclusiveStartKey: after }) }));
    entries += page.Count ?? 0;
    units += page.ConsumedCapacity?.CapacityUnits ?? 0;
    requests += 1;
    after = page.LastEvaluatedKey;
  } while (after !== undefined && requests < mostPages);
  return { entries, isAtLeast: after !== undefined, requests, units };
};
