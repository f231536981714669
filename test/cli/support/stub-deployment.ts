import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Deployment } from '../../../cli/connection/deployment.ts';
import { accountIndex } from '../../../lib/accounts/accounts.ts';
import { localClient } from '../../../sandbox/local-aws.ts';
import { account } from './local-deployment.ts';

/** A deployment for commands that end before they call AWS. */
export const stubDeployment = (callsTable = 'calls'): Deployment => ({
  dynamodb: new DynamoDBClient(localClient('http://127.0.0.1:9')),
  sqs: new SQSClient(localClient('http://127.0.0.1:9')),
  s3: new S3Client(localClient('http://127.0.0.1:9')),
  bus: { kind: 'sandbox', name: 'http://127.0.0.1:9' },
  tables: { calls: callsTable, agents: 'agents', quarantine: 'quarantine' },
  queues: { parking: 'parking', deadLetters: 'dead-letters', reconciliation: 'reconciliation' },
  retention: { callDays: 1, quarantineDays: 1 },
  accounts: async () => accountIndex([{ ...account, baseUrl: 'https://service.invalid' }]),
  callbackAddress: () => 'http://127.0.0.1:9',
  fromArchive: () => 'archive',
});
