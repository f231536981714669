import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListWorkGroupsCommand } from '@aws-sdk/client-athena';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../../cli/frame/connect.ts';
import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import { startHttpServer } from '../../support/local-servers.ts';
import { watchedClients } from '../../support/watched-clients.ts';
import { cli } from '../support/cli-run.ts';

const outputs = {
  CallsTableName: 'calls-1',
  AgentsTableName: 'agents-1',
  QuarantineTableName: 'quarantine-1',
  AccountsSecretArn: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:accounts',
  ParkingQueueUrl: 'https://sqs.eu-west-1.amazonaws.com/111122223333/parking',
  ParkingDeadLettersUrl: 'https://sqs.eu-west-1.amazonaws.com/111122223333/dead',
  ReconciliationQueueUrl: 'https://sqs.eu-west-1.amazonaws.com/111122223333/reconciliation',
  BusName: 'callfeed-bus',
  BusArn: 'arn:aws:events:eu-west-1:111122223333:event-bus/callfeed',
  EventArchiveArn: 'arn:aws:events:eu-west-1:111122223333:archive/callfeed',
  CallRetentionDays: '400',
  QuarantineRetentionDays: '30',
  DashboardName: 'unused',
};

const stackXml = (values: object): string => {
  const members = Object.entries(values).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName>
    <Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
};
const awsError = (code: string, message: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

/** Answers for CloudFormation and Secrets Manager. */
const startAws = async (status: number, xml: string, secret = '[]') => {
  const { url } = await startHttpServer((request, response) => {
    const isSecret = String(request.headers['x-amz-target'] ?? '').startsWith('secretsmanager');
    request.resume();
    if (isSecret) response.end(JSON.stringify({ SecretString: secret }));
    else response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
  });
  vi.stubEnv('AWS_ENDPOINT_URL', url);
};

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any');
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  return () => vi.unstubAllEnvs();
});

const from = '2026-11-20T00:00:00.000Z';
const to = '2026-11-21T00:00:00.000Z';
const list = ['dead-letters', 'list', 'parked', '--stack', 'callfeed-test'];

describe('a stack as the deployment', () => {
  it('is asked by clients whose attempts end within ten seconds together, also where an answer breaks off', async () => {
    const clients = watchedClients();
    onTestFinished(() => void vi.restoreAllMocks());
    await startAws(200, stackXml({ ...outputs, AnalyticsDatabase: 'lake', AnalyticsWorkGroup: 'callfeed' }));
    const { accounts, analytics, bus, dynamodb, s3, sqs } = await connect({ stack: 'callfeed-test' });
    // What they answer does not matter.
    await Promise.allSettled([
      accounts(),
      dynamodb.send(new ListTablesCommand()),
      sqs.send(new ListQueuesCommand()),
      s3.send(new ListBucketsCommand()),
      analytics?.client.send(new ListWorkGroupsCommand()),
      bus.kind === 'event-bridge' && bus.client.send(new PutEventsCommand({ Entries: [] })),
    ]);

    const limit = { connectionTimeout: 2_800, requestTimeout: 2_800, socketTimeout: 2_800 };
    const settings = { attempts: 3, ...limit, throwOnRequestTimeout: true };
    const services = ['Athena', 'CloudFormation', 'DynamoDB', 'EventBridge', 'S3', 'SQS', 'Secrets Manager'];
    expect(await clients.settings()).toEqual(Object.fromEntries(services.map((service) => [service, settings])));
  });

  it('is found by the outputs of its stack, with its accounts in their zones', async () => {
    await startAws(200, stackXml(outputs), '[{"userName":"acme","apiKeys":["k"],"timeZone":"Europe/London"}]');
    const credentials = join(mkdtempSync(join(tmpdir(), 'callfeed-')), 'credentials');
    writeFileSync(credentials, '[ops]\naws_access_key_id = any\naws_secret_access_key = any\n');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', credentials);
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
    const found = await connect({ stack: 'callfeed-test', profile: 'ops' });

    const {
      ParkingQueueUrl: parking,
      ParkingDeadLettersUrl: deadLetters,
      ReconciliationQueueUrl: reconciliation,
    } = outputs;
    expect(found).toMatchObject({
      tables: { calls: 'calls-1', agents: 'agents-1', quarantine: 'quarantine-1' },
      queues: { parking, deadLetters, reconciliation },
      retention: { callDays: 400, quarantineDays: 30 },
    });
    expect([found.recordings, found.s3]).toEqual([undefined, expect.anything()]);
    expect(found.bus).toMatchObject({ kind: 'event-bridge', name: 'callfeed-bus' });
    expect((await found.accounts()).all).toMatchObject([{ userName: 'acme', timeZone: 'Europe/London' }]);
    expect(found.fromArchive(from, to)).toBe(
      'aws events start-replay --replay-name callfeed-20261120000000000 ' +
        `--event-source-arn ${outputs.EventArchiveArn} --event-start-time ${from} --event-end-time ${to} ` +
        `--destination '{"Arn":"${outputs.BusArn}"}' --profile ops`,
    );
  });

  it('may have no archive and no reconciliation', async () => {
    const { EventArchiveArn, ReconciliationQueueUrl, ...others } = outputs;
    await startAws(200, stackXml(others));
    const { fromArchive, queues } = await connect({ stack: 'callfeed-test' });

    expect(() => fromArchive(from, to)).toThrow('no archive');
    expect(queues.reconciliation).toBeUndefined();
  });

  it.each<[string, number, string, string]>([
    [
      'that does not exist',
      400,
      awsError('ValidationError', 'Stack with id callfeed-test does not exist'),
      'There is no stack callfeed-test in this region',
    ],
    [
      'that lacks outputs',
      200,
      stackXml({ ...outputs, BusName: '', CallRetentionDays: '0' }),
      'lacks outputs (BusName, CallRetentionDays). Deploy this version',
    ],
    [
      'that may not be read',
      403,
      awsError('AccessDenied', 'User: arn:x is not authorized to perform: cloudformation:DescribeStacks'),
      'AWS denied access: cloudformation:DescribeStacks is not allowed for these credentials.',
    ],
    [
      'for which the credentials have expired',
      403,
      awsError('ExpiredToken', 'The security token included in the request is expired'),
      'credentials for AWS have expired',
    ],
    ['with another error, which may hold data', 400, awsError('Odd', 'SENTINEL'), 'CloudFormation failed with Odd'],
  ])('is reported in one line for a stack %s', async (_title, status, xml, message) => {
    await startAws(status, xml);
    const { code, notes, output } = await cli(list);

    expect([code, output, notes]).toEqual([1, '', expect.stringContaining(message)]);
    expect(notes).not.toContain('SENTINEL');
    expect(notes.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each([
    ['the placeholder', accountsPlaceholder, 'still holds its placeholder'],
    ['no list', '{}', 'The accounts’ secret is invalid at accounts'],
  ])('reports a secret that holds %s', async (_title, secret, message) => {
    await startAws(200, stackXml(outputs), secret);
    const { code, notes } = await cli(['quarantine', 'redrive', 'x', '--stack', 'callfeed-test']);

    expect([code, notes]).toEqual([1, expect.stringContaining(message)]);
  });
});
