import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { Facts } from '../../lib/record/delivery.ts';
import type { Deployment } from '../cloud/deployment.ts';
import { allRows, rowsUnder } from '../cloud/rows.ts';
import { callSummary } from '../examples.ts';
import { same } from '../runner/facts.ts';
import type { Stage } from '../stage.ts';

/** Other settings change the functions that store. */
export const otherSettings = { callRetentionDays: '400' };

const daySeconds = 86_400;

/** Rows that no poll changes: those of calls and of quarantine, in the order of their keys. */
const lastingRows = async ({ clients: { dynamodb }, outputs }: Stage): Promise<readonly Facts[]> => {
  const tables = [outputs.CallsTableName, outputs.QuarantineTableName];
  const rows = (await Promise.all(tables.map((table) => allRows(dynamodb, table)))).flat();
  return rows.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)));
};

const keyOf = ({ id, pk, sk }: Facts): string => String(id ?? `${pk} ${sk}`);

/** Deploys another version over the one that is there: nothing that anybody has put into it may be lost or changed. */
export const changeVersion = async (
  stage: Stage,
  deployAgain: () => Promise<Deployment>,
  { accounts, callId }: { readonly accounts: string; readonly callId: string },
): Promise<Deployment> => {
  const { clients, outputs, api } = stage;
  const before = await lastingRows(stage);
  const deployment = await deployAgain();

  same('The outputs of the stack', deployment.outputs, outputs);
  same('The rows that were there', await lastingRows(stage), before);
  const secret = await clients.secrets.send(new GetSecretValueCommand({ SecretId: outputs.AccountsSecretArn }));
  same('The accounts in the secret', secret.SecretString, accounts);

  same('The answer of the new version', (await api.post(callSummary(callId))).status, 200);
  const [row] = await rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` });
  const keptSeconds = Number(row?.['expiresAt']) - Math.floor(Date.parse(String(row?.['firstReceivedAt'])) / 1000);
  same('How many days it keeps a call', Math.round(keptSeconds / daySeconds), Number(otherSettings.callRetentionDays));
  return deployment;
};
