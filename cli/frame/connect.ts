import { AthenaClient } from '@aws-sdk/client-athena';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { commandText } from '../../lib/core/command-text.ts';
import {
  accountsInSecret,
  clientsOf,
  type Deployment,
  type DeploymentLocation,
  givenOptions,
  namedClient,
  pairOf,
} from './deployment.ts';
import { Problem } from './problem.ts';
import { fromSandbox } from './sandbox.ts';

export const connect = (location: DeploymentLocation): Promise<Deployment> =>
  location.endpoint === undefined ? fromStack(location) : fromSandbox(location.endpoint);

const nameOutput = z.string().min(1);
const daysOutput = z
  .string()
  .regex(/^[1-9]\d{0,4}$/)
  .transform(Number);

export const StackOutputs = z.object({
  Version: nameOutput.optional(),
  CallsTableName: nameOutput,
  AgentsTableName: nameOutput,
  QuarantineTableName: nameOutput,
  AccountsSecretArn: nameOutput,
  ParkingQueueUrl: z.url(),
  ParkingDeadLettersUrl: z.url(),
  TickQueueUrl: z.url().optional(),
  ReconciliationQueueUrl: z.url().optional(),
  ForwardingQueueUrl: z.url().optional(),
  ForwardingDeadLettersUrl: z.url().optional(),
  RecordingsBucketName: nameOutput.optional(),
  RecordingsQueueUrl: z.url().optional(),
  RecordingsDeadLettersUrl: z.url().optional(),
  AnalyticsDatabase: nameOutput.optional(),
  AnalyticsWorkGroup: nameOutput.optional(),
  BusName: nameOutput,
  BusArn: nameOutput,
  EventArchiveArn: nameOutput.optional(),
  EventArchiveRetentionDays: daysOutput.optional(),
  CallRetentionDays: daysOutput,
  QuarantineRetentionDays: daysOutput,
});
export type StackOutputs = z.infer<typeof StackOutputs>;

const fromStack = async (location: DeploymentLocation): Promise<Deployment> => {
  const { stack, region, profile } = location;
  const client = withoutUndefined({ region, profile });
  const outputs = await outputsOf(namedClient('CloudFormation', CloudFormationClient, client), stack);
  const { RecordingsBucketName: bucket, AnalyticsDatabase: database, AnalyticsWorkGroup: workGroup } = outputs;
  const recordings = pairOf(outputs.RecordingsQueueUrl, outputs.RecordingsDeadLettersUrl);
  return {
    version: outputs.Version,
    isPolling: outputs.TickQueueUrl !== undefined,
    ...clientsOf(client),
    bus: { kind: 'event-bridge', name: outputs.BusName, client: namedClient('EventBridge', EventBridgeClient, client) },
    tables: { calls: outputs.CallsTableName, agents: outputs.AgentsTableName, quarantine: outputs.QuarantineTableName },
    queues: {
      parking: outputs.ParkingQueueUrl,
      deadLetters: outputs.ParkingDeadLettersUrl,
      reconciliation: outputs.ReconciliationQueueUrl,
      forwarding: pairOf(outputs.ForwardingQueueUrl, outputs.ForwardingDeadLettersUrl),
    },
    s3: namedClient('S3', S3Client, client),
    ...(bucket !== undefined && recordings && { recordings: { bucket, ...recordings } }),
    ...(database !== undefined &&
      workGroup !== undefined && {
        analytics: { client: namedClient('Athena', AthenaClient, client), database, workGroup },
      }),
    retention: { callDays: outputs.CallRetentionDays, quarantineDays: outputs.QuarantineRetentionDays },
    archiveDays: outputs.EventArchiveRetentionDays,
    accounts: accountsInSecret(client, outputs.AccountsSecretArn),
    fromArchive: (from, to) => replayCommand(outputs, { from, to }, location),
  };
};

const outputsOf = async (client: CloudFormationClient, stack: string) => {
  const { Stacks: [found] = [] } = await client
    .send(new DescribeStacksCommand({ StackName: stack }))
    .catch((error: unknown) => {
      if (error instanceof Error && /does not exist/.test(error.message))
        throw new Problem(
          `There is no stack ${stack} in this region and account. Name it with --stack, --region and --profile.`,
        );
      throw error;
    });
  const values = (found?.Outputs ?? []).map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue] as const);
  const outputs = StackOutputs.safeParse(Object.fromEntries(values));
  if (outputs.success) return outputs.data;

  const missing = [...new Set(outputs.error.issues.map(({ path }) => String(path[0])))].join(', ');
  throw new Problem(`The stack ${stack} lacks outputs (${missing}). Deploy this version of Callfeed to it first.`);
};

const replayCommand = (
  { EventArchiveArn, BusArn }: StackOutputs,
  { from, to }: Readonly<Record<'from' | 'to', string>>,
  { region, profile }: DeploymentLocation,
): string => {
  if (EventArchiveArn === undefined)
    throw new Problem('This deployment has no archive of events: the setting leaveOut omits it.');

  return commandText([
    'aws',
    'events',
    'start-replay',
    '--replay-name',
    `callfeed-${from.replace(/\D/g, '')}`,
    '--event-source-arn',
    EventArchiveArn,
    '--event-start-time',
    from,
    '--event-end-time',
    to,
    '--destination',
    JSON.stringify({ Arn: BusArn }),
    ...givenOptions({ region, profile }),
  ]);
};
