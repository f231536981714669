import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { secretText } from '../../functions/adapters/secret-text.ts';
import { readAccounts } from '../../lib/account/account.ts';
import { accountBook } from '../../lib/account/account-book.ts';
import { refusePlaceholder } from '../../lib/account/placeholder.ts';
import { Problem } from '../problem.ts';
import { callbackAddress } from './callback-address.ts';
import type { Deployment } from './deployment.ts';
import { replayCommand } from './replay-command.ts';
import { StackOutputs } from './stack-outputs.ts';
import type { Where } from './where.ts';

const secretDeadlineMs = 10_000;

/** The deployment that a stack of CloudFormation is. Region and credentials are found as by the AWS CLI. */
export const fromStack = async ({ stack, region, profile }: Where): Promise<Deployment> => {
  const client = { ...(region !== undefined && { region }), ...(profile !== undefined && { profile }) };
  const outputs = await outputsOf(new CloudFormationClient(client), stack);
  const readSecret = secretText(new SecretsManagerClient(client), outputs.AccountsSecretArn, secretDeadlineMs);

  return {
    dynamodb: new DynamoDBClient(client),
    sqs: new SQSClient(client),
    bus: { kind: 'event-bridge', name: outputs.BusName, client: new EventBridgeClient(client) },
    tables: { calls: outputs.CallsTableName, agents: outputs.AgentsTableName, quarantine: outputs.QuarantineTableName },
    queues: { parking: outputs.ParkingQueueUrl, deadLetters: outputs.ParkingDeadLettersUrl },
    retention: { callDays: outputs.CallRetentionDays, quarantineDays: outputs.QuarantineRetentionDays },
    async accounts() {
      const json = await readSecret();
      refusePlaceholder(json);
      const accounts = readAccounts(json, outputs.TimeZone);
      if (!accounts.ok) throw new Problem(`The accounts’ secret is wrong at ${accounts.problem}.`);
      return accountBook(accounts.value);
    },
    callbackAddress: (secret) => callbackAddress(outputs.CallbackUrl, secret),
    fromArchive: (from, to) => replayCommand(outputs, { from, to, where: { region, profile } }),
  };
};

const outputsOf = async (client: CloudFormationClient, stack: string) => {
  const { Stacks: [found] = [] } = await client
    .send(new DescribeStacksCommand({ StackName: stack }))
    .catch((error: unknown) => {
      if (error instanceof Error && /does not exist/.test(error.message)) throw noSuchStack(stack);
      throw error;
    });
  const values = (found?.Outputs ?? []).map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue] as const);
  const outputs = StackOutputs.safeParse(Object.fromEntries(values));
  if (outputs.success) return outputs.data;

  const missing = [...new Set(outputs.error.issues.map(({ path }) => String(path[0])))].join(', ');
  throw new Problem(`The stack ${stack} lacks outputs (${missing}): deploy this version of Callfeed to it first.`);
};

const noSuchStack = (stack: string): Problem =>
  new Problem(`There is no stack ${stack} in this region and account: name it with --stack, --region and --profile.`);
