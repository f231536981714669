import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { SendMessageBatchRequest } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { bundle } from '../../../bench/lambda/bundle.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { startHttpServer } from '../../support/local-servers.ts';
import { switchedOn } from '../support/configurations.ts';
import { synthesise } from '../support/synthesise.ts';
import { only } from '../support/template.ts';

const runHandler = `
  const { createRequire } = await import('node:module');
  const require = createRequire(import.meta.url);
  const [file, event] = process.argv.slice(1);
  const { handler } = await import(file);
  const answer = await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 9000 });
  process.stdout.write(JSON.stringify(answer));
`;

/** Runs the handler of a bundle as on Lambda, with credentials only in its environment, and returns its result. */
const runBundle = async (folder: string, event: unknown, environment: Readonly<Record<string, string>>) => {
  const file = pathToFileURL(join(folder, 'index.js')).href;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', runHandler, file, JSON.stringify(event)],
    {
      cwd: folder,
      env: {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'example',
        ...environment,
      },
    },
  );

  // The lines before the last one are the function's log.
  return JSON.parse(stdout.split('\n').at(-1) ?? '');
};

/** A server that accepts every request and records it. */
const acceptingServer = async () => {
  const requests: IncomingMessage[] = [];
  const { url } = await startHttpServer((request, response) => {
    requests.push(request.resume());
    response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}');
  });

  return { url, requests };
};

const { template, outdir } = synthesise({
  bundled: true,
  context: {
    ...switchedOn,
  },
});

const assetOf = (name: string): string => {
  const { S3Key } = only(template, 'AWS::Lambda::Function', name)['Code'];

  return join(outdir, `asset.${S3Key.replace(/\.zip$/, '')}`);
};

const invoke = (name: string, event: unknown, environment: Readonly<Record<string, string>>) =>
  runBundle(assetOf(name), event, environment);

const account = { userName: 'demo', apiKeys: ['key-for-the-test'], timeZone: 'UTC', token: { kind: 'none' } };

const isPoll = ({ url }: IncomingMessage) => url === '/ca_apis/getAgentLogins';

describe('the bundle of', () => {
  it.each([
    'ReceiveCallback',
    'PublishChanges',
    'RecoverCallbacks',
    'PollAgents',
    'ReconcileCalls',
    'ForwardDeliveries',
  ])('%s is one file of at most 400 KB, which keeps its cold start short', (name) => {
    expect(readdirSync(assetOf(name))).toEqual(['index.js']);
    expect(statSync(join(assetOf(name), 'index.js')).size).toBeLessThanOrEqual(400_000);
  });

  it('ArchiveRecordings is one file of at most 500 KB: nobody waits for it', () => {
    expect(readdirSync(assetOf('ArchiveRecordings'))).toEqual(['index.js']);
    expect(statSync(join(assetOf('ArchiveRecordings'), 'index.js')).size).toBeLessThanOrEqual(500_000);
  });

  it('receive-callback is the one that the benchmark measures', async () => {
    const { folder } = await bundle('functions/receive-callback/index.ts', join(outdir, 'measured'));

    expect(readFileSync(join(assetOf('ReceiveCallback'), 'index.js'), 'utf8')).toBe(
      readFileSync(join(folder, 'index.js'), 'utf8'),
    );
  });

  it('receive-callback stores a call with one request, signed with the environment’s credentials', async () => {
    const { url, requests } = await acceptingServer();
    const summary = {
      monitorUCID: '12345678901234567',
      Apikey: 'key-for-the-test',
      UserName: 'demo',
      Status: 'Answered',
    };

    const { statusCode } = await invoke('ReceiveCallback', httpApiEvent({ body: formOf(summary) }), {
      AWS_ENDPOINT_URL_DYNAMODB: url,
      CALLS_TABLE: 'calls',
      QUARANTINE_TABLE: 'quarantine',
      PARKING_QUEUE_URL: `${url}/parking`,
      CALLFEED_ACCOUNTS: JSON.stringify([{ ...account, baseUrl: url }]),
    });

    expect(statusCode).toBe(200);
    const writes = requests.filter(({ method }) => method === 'POST');
    expect(writes.map(({ headers }) => headers.authorization)).toEqual([
      expect.stringContaining('Credential=AKIDEXAMPLE/'),
    ]);
  });

  it('receive-callback parks a callback while the table is down', async () => {
    const { url } = await startHttpServer(async (request, response) => {
      if (request.headers['x-amz-target'] !== 'AmazonSQS.SendMessageBatch') return response.writeHead(500).end('{}');
      const { Entries }: SendMessageBatchRequest = JSON.parse(await text(request));
      const md5 = (body = '') => createHash('md5').update(body).digest('hex');
      const Successful = Entries?.map(({ Id, MessageBody }) => ({ Id, MD5OfMessageBody: md5(MessageBody) }));
      return response.end(JSON.stringify({ Successful, Failed: [] }));
    });
    const post = httpApiEvent({ body: formOf({ monitorUCID: '1', Apikey: 'key-for-the-test', Status: 'Answered' }) });

    const { statusCode, body = '' } = await invoke('ReceiveCallback', post, {
      AWS_ENDPOINT_URL: url,
      CALLS_TABLE: 'calls',
      QUARANTINE_TABLE: 'quarantine',
      PARKING_QUEUE_URL: `${url}/parking`,
      CALLFEED_ACCOUNTS: JSON.stringify([account]),
    });

    expect([statusCode, JSON.parse(body)]).toEqual([200, expect.objectContaining({ parked: 1 })]);
  });

  it('poll-agents polls the service once, with the account’s key and without AWS credentials', async () => {
    const { url, requests } = await acceptingServer();
    const tick = { messageId: '1', body: 'tick', attributes: { SentTimestamp: String(Date.now()) } };

    const answer = await invoke(
      'PollAgents',
      { Records: [tick] },
      {
        AWS_ENDPOINT_URL_DYNAMODB: url,
        AGENTS_TABLE: 'agents',
        CALLFEED_ACCOUNTS: JSON.stringify([{ ...account, baseUrl: url }]),
      },
    );

    const posts = requests.filter(({ method }) => method === 'POST');
    const [polls, writes] = [posts.filter(isPoll), posts.filter((request) => !isPoll(request))];
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(polls.map(({ method, headers }) => [method, headers['apikey'], headers.authorization])).toEqual([
      ['POST', 'key-for-the-test', undefined],
    ]);
    for (const { headers } of writes) expect(headers.authorization).toContain('Credential=AKIDEXAMPLE/');
    expect(writes.length).toBeGreaterThan(0);
  });

  it.each([
    ['RecoverCallbacks', { CALLS_TABLE: 'calls', QUARANTINE_TABLE: 'quarantine' }],
    ['PublishChanges', { BUS_NAME: 'bus', AGENTS_TABLE: 'agents' }],
    ['PollAgents', { AGENTS_TABLE: 'agents', CALLFEED_ACCOUNTS: '[]' }],
    [
      'ReconcileCalls',
      { CALLS_TABLE: 'c', AGENTS_TABLE: 'a', RECONCILE_QUEUE_URL: 'https://queue.invalid', CALLFEED_ACCOUNTS: '[]' },
    ],
    [
      'ArchiveRecordings',
      {
        ...{ CALLS_TABLE: 'c', RECORDINGS_BUCKET: 'b', RECORDING_HOSTS: 'recordings.example.com' },
        ...{ RECORDINGS_QUEUE_URL: 'https://queue.invalid', RECORDINGS_DEAD_LETTERS_URL: 'https://queue.invalid' },
      },
    ],
    ['ForwardDeliveries', { CALLS_TABLE: 'c', FORWARD_QUEUE_URL: 'https://queue.invalid', CALLFEED_ACCOUNTS: '[]' }],
  ])('%s starts, and accepts an empty batch', async (name, environment) => {
    expect(await invoke(name, { Records: [] }, environment)).toEqual({ batchItemFailures: [] });
  });
});
