import { DescribeStacksCommand, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { DescribeSecretCommand, GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { Facts } from '../../../../lib/core/objects.ts';
import { expectEqual, expectThat } from '../assertions.ts';
import { allRows, rowsUnder } from '../clients.ts';
import { type Deployment, stackName, type Version } from '../deployment.ts';
import { callSummary, example } from '../fixtures.ts';
import type { OnProgress } from '../step-runner.ts';
import type { TestContext } from '../test-context.ts';

/** Other settings change the functions that store. */
export const otherSettings = { callRetentionDays: '400' };

const daySeconds = 86_400;

/** Rows that no poll changes: those of calls and of quarantine, in the order of their keys. */
const lastingRows = async ({ clients: { dynamodb }, outputs }: TestContext): Promise<readonly Facts[]> => {
  const tables = [outputs.CallsTableName, outputs.QuarantineTableName];
  const rows = (await Promise.all(tables.map((table) => allRows(dynamodb, table)))).flat();
  return rows.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)));
};

const keyOf = ({ id, pk, sk }: Facts): string => String(id ?? `${pk} ${sk}`);

/** Deploys another version over the one that is there: nothing that anybody has put into it may be lost or changed. */
export const deployNextVersion = async (
  stage: TestContext,
  deployAgain: () => Promise<Deployment>,
  { accounts, callId }: { readonly accounts: string; readonly callId: string },
): Promise<Deployment> => {
  const { clients, outputs, api } = stage;
  const before = await lastingRows(stage);
  const deployment = await deployAgain();

  expectEqual('The outputs of the stack', deployment.outputs, outputs);
  expectEqual('The rows that were there', await lastingRows(stage), before);
  const secret = await clients.secrets.send(new GetSecretValueCommand({ SecretId: outputs.AccountsSecretArn }));
  expectEqual('The accounts in the secret', secret.SecretString, accounts);

  expectEqual('The answer of the new version', (await api.post(callSummary(callId))).status, 200);
  const [row] = await rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` });
  const keptSeconds = Number(row?.['expiresAt']) - Math.floor(Date.parse(String(row?.['firstReceivedAt'])) / 1000);
  expectEqual(
    'How many days it keeps a call',
    Math.round(keptSeconds / daySeconds),
    Number(otherSettings.callRetentionDays),
  );
  return deployment;
};

const cdkDestroy = (tell: OnProgress, { cdk, folder }: Version, { assembly }: Deployment): Promise<void> =>
  cdk(tell, folder, ['destroy', stackName, '--app', assembly, '--force']);

/** A stack that protects its data cannot be destroyed by mistake. */
export const expectTerminationProtection = async (
  tell: OnProgress,
  version: Version,
  deployment: Deployment,
): Promise<void> => {
  const refusal = await cdkDestroy(tell, version, deployment).then(() => 'none', String);

  expectThat('The stack is refused to be deleted', refusal.includes('TerminationProtection is enabled'), refusal);
};

/** Whether the stack is there no more, as CloudFormation says it. */
const isGone = ({ clients }: TestContext): Promise<boolean> =>
  clients.cloudFormation.send(new DescribeStacksCommand({ StackName: stackName })).then(
    () => false,
    (error: unknown) => error instanceof Error && error.message.includes('does not exist'),
  );

/** Destroys the stack on purpose: what runs is gone, what holds data is not. */
export const destroyStack = async (
  tell: OnProgress,
  version: Version,
  stage: TestContext,
  deployment: Deployment,
): Promise<void> => {
  const { clients, outputs, api } = stage;
  const before = await allRows(clients.dynamodb, outputs.CallsTableName);
  await clients.cloudFormation.send(
    new UpdateTerminationProtectionCommand({ StackName: stackName, EnableTerminationProtection: false }),
  );
  await cdkDestroy(tell, version, deployment);

  expectEqual('Whether the stack is gone', await isGone(stage), true);
  const { Functions = [] } = await clients.lambda.send(new ListFunctionsCommand());
  expectEqual(
    'The functions that are left',
    Functions.map(({ FunctionName }) => FunctionName),
    [],
  );
  expectEqual('The status with which the address answers', (await api.post(example('call-summary'))).status, 404);

  expectThat('There were calls', before.length > 0, before);
  expectEqual('The rows of calls', await allRows(clients.dynamodb, outputs.CallsTableName), before);
  const { DeletedDate } = await clients.secrets.send(
    new DescribeSecretCommand({ SecretId: outputs.AccountsSecretArn }),
  );
  expectEqual('When the secret was deleted', DeletedDate, undefined);
};
