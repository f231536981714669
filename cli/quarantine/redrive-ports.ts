import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoCallStore } from '../../functions/adapters/dynamo-call-store.ts';
import { dynamoQuarantine } from '../../functions/adapters/dynamo-quarantine.ts';
import { marshalled } from '../../functions/adapters/marshalling.ts';
import type { RedrivePorts } from '../../lib/redrive-quarantined.ts';
import type { Deployment } from '../connection/deployment.ts';

/** Nobody waits for a reply here, so a slow table is given time. */
const storeDeadlineMs = 15_000;

/** The tables, as the receiver writes them. */
export const redrivePorts = async (deployment: Deployment, clock: () => Date): Promise<RedrivePorts> => {
  const { dynamodb: client, tables, retention } = deployment;
  return {
    accounts: await deployment.accounts(),
    calls: dynamoCallStore({ client, clock, tableName: tables.calls, retentionDays: retention.callDays }),
    quarantine: dynamoQuarantine({ client, tableName: tables.quarantine, retentionDays: retention.quarantineDays }),
    deadline: () => AbortSignal.timeout(storeDeadlineMs),
    async remove(id) {
      await client.send(new DeleteItemCommand({ TableName: tables.quarantine, Key: marshalled({ id }) }));
    },
  };
};
