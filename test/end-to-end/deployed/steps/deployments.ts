import { DescribeStacksCommand, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { DescribeSecretCommand, GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { Facts } from '../../../../lib/core/collections.ts';
import { expectEqual, expectThat } from '../assertions.ts';
import { allRows, rowsUnder } from '../clients.ts';
import { type Deployment, stackName, type Version } from '../deployment.ts';
import { callSummary, example } from '../fixtures.ts';
import type { OnProgress } from '../step-runner.ts';
import type { TestContext } from '../test-context.ts';

/** Settings that change the environment of the functions that store calls. */
export const otherSettings = { callRetentionDays: '400' };

const daySeconds = 86_400;

/** Rows that no poll changes: those of calls and of the quarantine. */
const lastingRows = ({ clients: { dynamodb }, outputs }: TestContext): Promise<readonly Facts[][]> =>
  Promise.all([outputs.CallsTableName, outputs.QuarantineTableName].map((table) => allRows(dynamodb, table)));

/** Deploys another version over the present one. No row and no secret may be lost or changed. */
export const deployNextVersion = async (
  context: TestContext,
  deployAgain: () => Promise<Deployment>,
  { accounts, callId }: { readonly accounts: string; readonly callId: string },
): Promise<Deployment> => {
  const { clients, outputs, api } = context;
  const before = await lastingRows(context);
  const deployment = await deployAgain();

  expectEqual('The outputs of the stack', deployment.outputs, outputs);
  expectEqual('The rows that were there', await lastingRows(context), before);
  const secret = await clients.secrets.send(new GetSecretValueCommand({ SecretId: outputs.AccountsSecretArn }));
  expectEqual('The accounts in the secret', secret.SecretString, accounts);

  expectEqual('The answer of the new version', (await api.post(callSummary(callId))).status, 200);
  const [row] = await rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` });
  const retainedSeconds = Number(row?.['expiresAt']) - Math.floor(Date.parse(String(row?.['firstReceivedAt'])) / 1000);
  expectEqual(
    'How many days it retains a call',
    Math.round(retainedSeconds / daySeconds),
    Number(otherSettings.callRetentionDays),
  );
  return deployment;
};

const cdkDestroy = (onProgress: OnProgress, { cdk, folder }: Version, { assembly }: Deployment): Promise<void> =>
  cdk(onProgress, folder, ['destroy', stackName, '--app', assembly, '--force']);

/** Termination protection stops a mistaken deletion of the stack. */
export const expectTerminationProtection = async (
  onProgress: OnProgress,
  version: Version,
  deployment: Deployment,
): Promise<void> => {
  const failure = await cdkDestroy(onProgress, version, deployment).then(() => 'none', String);

  expectThat('The deletion of the stack fails', failure.includes('TerminationProtection is enabled'), failure);
};

/** Whether CloudFormation says that the stack does not exist. */
const isGone = ({ clients }: TestContext): Promise<boolean> =>
  clients.cloudFormation.send(new DescribeStacksCommand({ StackName: stackName })).then(
    () => false,
    (error: unknown) => error instanceof Error && error.message.includes('does not exist'),
  );

/** Destroys the stack. The functions and the API are deleted; tables and the secret are retained. */
export const destroyStack = async (
  onProgress: OnProgress,
  version: Version,
  context: TestContext,
  deployment: Deployment,
): Promise<void> => {
  const { clients, outputs, api } = context;
  const before = await allRows(clients.dynamodb, outputs.CallsTableName);
  await clients.cloudFormation.send(
    new UpdateTerminationProtectionCommand({ StackName: stackName, EnableTerminationProtection: false }),
  );
  await cdkDestroy(onProgress, version, deployment);

  expectEqual('Whether the stack is gone', await isGone(context), true);
  const { Functions = [] } = await clients.lambda.send(new ListFunctionsCommand());
  expectEqual(
    'The functions that are left',
    Functions.map(({ FunctionName }) => FunctionName),
    [],
  );
  expectEqual('The status with which the address answers', (await api.post(example('call-summary'))).status, 404);

  expectThat('There are rows of calls before', before.length > 0, before);
  expectEqual('The rows of calls', await allRows(clients.dynamodb, outputs.CallsTableName), before);
  const { DeletedDate } = await clients.secrets.send(
    new DescribeSecretCommand({ SecretId: outputs.AccountsSecretArn }),
  );
  expectEqual('When the secret was deleted', DeletedDate, undefined);
};
