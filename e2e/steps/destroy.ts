import { DescribeStacksCommand, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import { type Deployment, stackName, type Version } from '../cloud/deployment.ts';
import { allRows } from '../cloud/rows.ts';
import { example } from '../examples.ts';
import { holds, same } from '../runner/facts.ts';
import type { Tell } from '../runner/steps.ts';
import type { Stage } from '../stage.ts';

const cdkDestroy = (tell: Tell, { cdk, folder }: Version, { assembly }: Deployment): Promise<void> =>
  cdk(tell, folder, ['destroy', stackName, '--app', assembly, '--force']);

/** A stack that protects its data cannot be destroyed by mistake. */
export const refuseToDestroy = async (tell: Tell, version: Version, deployment: Deployment): Promise<void> => {
  const refusal = await cdkDestroy(tell, version, deployment).then(() => 'none', String);

  holds('The stack is refused to be deleted', refusal.includes('TerminationProtection is enabled'), refusal);
};

/** Whether the stack is there no more, as CloudFormation says it. */
const isGone = ({ clients }: Stage): Promise<boolean> =>
  clients.cloudFormation.send(new DescribeStacksCommand({ StackName: stackName })).then(
    () => false,
    (error: unknown) => error instanceof Error && error.message.includes('does not exist'),
  );

/** Destroys the stack on purpose: what runs is gone, what holds data is not. */
export const destroy = async (tell: Tell, version: Version, stage: Stage, deployment: Deployment): Promise<void> => {
  const { clients, outputs, api } = stage;
  const before = await allRows(clients.dynamodb, outputs.CallsTableName);
  await clients.cloudFormation.send(
    new UpdateTerminationProtectionCommand({ StackName: stackName, EnableTerminationProtection: false }),
  );
  await cdkDestroy(tell, version, deployment);

  same('Whether the stack is gone', await isGone(stage), true);
  const { Functions = [] } = await clients.lambda.send(new ListFunctionsCommand());
  same(
    'The functions that are left',
    Functions.map(({ FunctionName }) => FunctionName),
    [],
  );
  same('The status with which the address answers', (await api.post(example('call-summary'))).status, 404);

  holds('There were calls', before.length > 0, before);
  same('The rows of calls', await allRows(clients.dynamodb, outputs.CallsTableName), before);
  const { DeletedDate } = await clients.secrets.send(
    new DescribeSecretCommand({ SecretId: outputs.AccountsSecretArn }),
  );
  same('When the secret was deleted', DeletedDate, undefined);
};
