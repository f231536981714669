import { setTimeout as pause } from 'node:timers/promises';
import { DescribeStacksCommand, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { DescribeSecretCommand, GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { expect } from 'vitest';
import type { Row } from '../../../../lib/storage/rows.ts';
import { until } from '../../../support/process-tree.ts';
import { type Deployment, stackName, type Version } from '../deployment.ts';
import { type Answer, allRows, callSummary, example, rowsUnder, type TestContext } from '../test-context.ts';

/** Settings that change the environment of the functions that store calls, and switch the analytics on. */
export const otherSettings = { callRetentionDays: '400', analytics: 'on' };

const daySeconds = 86_400;

/** Rows that no poll changes: those of calls and of the quarantine. */
const lastingRows = ({ clients: { dynamodb }, outputs }: TestContext): Promise<readonly Row[][]> =>
  Promise.all([outputs.CallsTableName, outputs.QuarantineTableName].map((table) => allRows(dynamodb, table)));

/** A call of another day than the ones that other steps look at. */
const earlierCall = (callId: string): string => callSummary(callId).replaceAll('2026-11-20', '2026-11-10');

/** The time between two calls of the traffic. */
const betweenCallsMs = 200;

/**
 * Deploys this version over the last release while calls are posted, one after the other. Every row of before stays as it
 * was, every call has its row, and a call of before that comes again is a duplicate. Returns the calls. What is not
 * acknowledged is posted again, as the telephony service does: MiniStack ends a run of a function that it replaces.
 */
export const upgradeUnderTraffic = async (
  context: TestContext,
  upgrade: () => Promise<Deployment>,
): Promise<readonly string[]> => {
  const { outputs, api } = context;
  const before = await lastingRows(context);
  const calls: string[] = [];
  let isUpgraded = false;
  const traffic = async (): Promise<void> => {
    while (!isUpgraded) {
      const callId = `6178123456789${String(calls.length).padStart(4, '0')}`;
      const isAcknowledged = ({ status }: Answer) => status === 200;
      await until(`call ${callId} is acknowledged`, () => api.post(earlierCall(callId)), isAcknowledged);
      calls.push(callId);
      await pause(betweenCallsMs);
    }
  };
  const upgraded = upgrade().finally(() => {
    isUpgraded = true;
  });
  const [deployment] = await Promise.all([upgraded, traffic()]);

  expect(deployment.outputs, 'The outputs of the stack').toStrictEqual(outputs);
  const [stored = [], quarantined] = await lastingRows(context);
  expect(stored, 'The rows of calls that were there').toEqual(expect.arrayContaining([...(before[0] ?? [])]));
  expect(quarantined, 'The quarantine').toStrictEqual(before[1]);
  expect(calls.length, 'The calls that were posted meanwhile').toBeGreaterThan(0);
  const revisions = new Map(
    stored.filter(({ kind }) => kind === 'call').map((row) => [row['callId'], row['revision']]),
  );
  for (const callId of calls) expect([callId, revisions.get(callId)]).toStrictEqual([callId, 1]);
  for (const name of ['call-summary', 'with-disposition', 'poorer-copy'] as const)
    expect((await api.post(example(name))).body, `The answer to ${name} again`).toMatchObject({
      stored: 0,
      duplicates: 1,
    });
  return calls;
};

/**
 * Deploys the last release over this version. Every row that this version wrote stays as it was, the release knows it again, and
 * it stores a new call.
 */
export const returnToRelease = async (
  context: TestContext,
  goBack: () => Promise<Deployment>,
  callId: string,
): Promise<Deployment> => {
  const { outputs, api } = context;
  const before = await lastingRows(context);
  const deployment = await goBack();

  expect(deployment.outputs, 'The outputs of the stack').toStrictEqual(outputs);
  expect(await lastingRows(context), 'The rows that were there').toStrictEqual(before);
  for (const name of ['call-summary', 'with-disposition', 'advanced-callback'] as const)
    expect((await api.post(example(name))).body, `The answer to ${name} again`).toMatchObject({
      stored: 0,
      quarantined: 0,
    });
  expect((await api.post(callSummary(callId))).body, 'The answer to a new call').toMatchObject({ stored: 1 });
  return deployment;
};

/** Deploys another version over the present one. No row and no secret may be lost or changed. */
export const deployNextVersion = async (
  context: TestContext,
  deployAgain: () => Promise<Deployment>,
  { accounts, callId }: { readonly accounts: string; readonly callId: string },
): Promise<Deployment> => {
  const { clients, outputs, api } = context;
  const before = await lastingRows(context);
  const deployment = await deployAgain();

  expect(deployment.outputs, 'The outputs of the stack').toMatchObject(outputs);
  expect(await lastingRows(context), 'The rows that were there').toStrictEqual(before);
  const secret = await clients.secrets.send(new GetSecretValueCommand({ SecretId: outputs.AccountsSecretArn }));
  expect(secret.SecretString, 'The accounts in the secret').toStrictEqual(accounts);

  expect((await api.post(callSummary(callId))).status, 'The answer of the new version').toStrictEqual(200);
  const [row] = await rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` });
  const retainedSeconds = Number(row?.['expiresAt']) - Math.floor(Date.parse(String(row?.['firstReceivedAt'])) / 1000);
  expect(Math.round(retainedSeconds / daySeconds), 'How many days it retains a call').toStrictEqual(
    Number(otherSettings.callRetentionDays),
  );
  return deployment;
};

const cdkDestroy = ({ cdk, folder }: Version, { assembly }: Deployment): Promise<void> =>
  cdk(folder, ['destroy', stackName, '--app', assembly, '--force']);

/** Termination protection stops a mistaken deletion of the stack. */
export const expectTerminationProtection = async (version: Version, deployment: Deployment): Promise<void> => {
  const failure = await cdkDestroy(version, deployment).then(() => 'none', String);

  expect(failure, 'The deletion of the stack fails').toContain('TerminationProtection is enabled');
};

/** Whether CloudFormation says that the stack does not exist. */
const isGone = ({ clients }: TestContext): Promise<boolean> =>
  clients.cloudFormation.send(new DescribeStacksCommand({ StackName: stackName })).then(
    () => false,
    (error: unknown) => error instanceof Error && error.message.includes('does not exist'),
  );

/** Destroys the stack. The functions and the API are deleted; tables and the secret are retained. */
export const destroyStack = async (version: Version, context: TestContext, deployment: Deployment): Promise<void> => {
  const { clients, outputs, api } = context;
  const before = await allRows(clients.dynamodb, outputs.CallsTableName);
  await clients.cloudFormation.send(
    new UpdateTerminationProtectionCommand({ StackName: stackName, EnableTerminationProtection: false }),
  );
  await cdkDestroy(version, deployment);

  expect(await isGone(context), 'Whether the stack is gone').toStrictEqual(true);
  const { Functions = [] } = await clients.lambda.send(new ListFunctionsCommand());
  expect(
    Functions.map(({ FunctionName }) => FunctionName),
    'The functions that are left',
  ).toStrictEqual([]);
  expect((await api.post(example('call-summary'))).status, 'The status with which the address answers').toStrictEqual(
    404,
  );

  expect(before, 'There are rows of calls before').not.toStrictEqual([]);
  expect(await allRows(clients.dynamodb, outputs.CallsTableName), 'The rows of calls').toStrictEqual(before);
  const { DeletedDate } = await clients.secrets.send(
    new DescribeSecretCommand({ SecretId: outputs.AccountsSecretArn }),
  );
  expect(DeletedDate, 'When the secret was deleted').toStrictEqual(undefined);
};
