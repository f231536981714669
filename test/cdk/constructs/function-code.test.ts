import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { SendMessageBatchRequest } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { bundle } from '../../bench/lambda/bundle.ts';
import { functionNames } from '../../bench/start/part.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { startHttpServer } from '../../support/local-servers.ts';
import { acceptingServer, runBundle } from '../support/run-bundle.ts';
import { synthesise } from '../support/synthesise.ts';
import { only } from '../support/template.ts';

const { template, outdir } = synthesise({ bundled: true, context: { reconciliation: 'hourly' } });

const assetOf = (name: string): string => {
  const { S3Key } = only(template, 'AWS::Lambda::Function', name)['Code'];

  return join(outdir, `asset.${S3Key.replace(/\.zip$/, '')}`);
};

const invoke = async (name: string, event: unknown, environment: Readonly<Record<string, string>>) => {
  const [answer] = await runBundle(assetOf(name), event, environment);
  return answer;
};

const account = { userName: 'demo', apiKeys: ['key-for-the-test'], timeZone: 'UTC', token: { kind: 'none' } };

const isPoll = ({ url }: IncomingMessage) => url === '/ca_apis/getAgentLogins';

describe('the bundle of', () => {
  it.each([
    ['ReceiveCallback', ['index.js', 'sqs.js']],
    ['RecoverCallbacks', ['index.js']],
    ['PublishChanges', ['index.js']],
    ['PollAgents', ['index.js']],
    ['ReconcileCalls', ['index.js']],
  ])('%s has the files %j', (name, files) => {
    expect(readdirSync(assetOf(name))).toEqual(files);
  });

  // Some 11 to 16 KB of each are there because it has no arrows, with which it would start later.
  it.each([
    ['ReceiveCallback', 268_000],
    ['PublishChanges', 231_000],
    ['RecoverCallbacks', 210_000],
    ['PollAgents', 260_000],
    ['ReconcileCalls', 295_000],
  ])('%s has at most %i bytes, which keeps its cold start short', (name, bytes) => {
    expect(statSync(join(assetOf(name), 'index.js')).size).toBeLessThanOrEqual(bytes);
  });

  // esbuild rewrites such an arrow wrongly in a class's field or static block, in a default parameter, and in a constructor
  // that calls `super`. Each of these was read, and is none of them. A new one has to be read before it is listed here.
  const always = ['constructor', 'async handle', 'resolveDefaultConfig'];
  it.each([
    ...functionNames.map((name) => [`${name}/index.ts`, [...always, 'readAttributeValue'], 13] as const),
    ['receive-callback/sqs.ts', always, 11] as const,
  ])('%s has arrows that use `this` in %j and nowhere else', async (entry, functions, uses) => {
    const { folder } = await bundle(`functions/${entry}`, join(outdir, 'readable', entry), { minify: false });
    const text = readFileSync(join(folder, 'index.js'), 'utf8');
    const within = [...text.matchAll(/^ *(.*?)\(.*\n *var _this\d* = this;/gm)].map(([, head]) => head);

    expect(within).toEqual(functions);
    expect(text.match(/\b_this\d*\b/g)).toHaveLength(uses);
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

  it('receive-callback loads SQS when it parks, and rejects a callback whose parking could not be loaded', async () => {
    const { url } = await startHttpServer(async (request, response) => {
      if (request.headers['x-amz-target'] !== 'AmazonSQS.SendMessageBatch') return response.writeHead(500).end('{}');
      const { Entries }: SendMessageBatchRequest = JSON.parse(await text(request));
      const md5 = (body = '') => createHash('md5').update(body).digest('hex');
      const Successful = Entries?.map(({ Id, MessageBody }) => ({ Id, MD5OfMessageBody: md5(MessageBody) }));
      return response.end(JSON.stringify({ Successful, Failed: [] }));
    });
    const folder = join(outdir, 'loading');
    cpSync(assetOf('ReceiveCallback'), folder, { recursive: true });
    const [file, hidden] = [join(folder, 'sqs.js'), join(folder, 'hidden.js')];
    const post = httpApiEvent({ body: formOf({ monitorUCID: '1', Apikey: 'key-for-the-test', Status: 'Answered' }) });
    const environment = {
      AWS_ENDPOINT_URL: url,
      CALLS_TABLE: 'calls',
      QUARANTINE_TABLE: 'quarantine',
      PARKING_QUEUE_URL: `${url}/parking`,
      CALLFEED_ACCOUNTS: JSON.stringify([account]),
    };
    renameSync(file, hidden);
    const between = `require('node:fs').renameSync(${JSON.stringify(hidden)}, ${JSON.stringify(file)})`;

    const replies: readonly APIGatewayProxyStructuredResultV2[] = await runBundle(folder, post, environment, between);

    expect(replies.map(({ statusCode, body = '' }) => [statusCode, JSON.parse(body)])).toEqual([
      [503, expect.objectContaining({ reason: 'stores-unavailable' })],
      [200, expect.objectContaining({ parked: 1 })],
    ]);
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
  ])('%s starts, and accepts an empty batch', async (name, environment) => {
    expect(await invoke(name, { Records: [] }, environment)).toEqual({ batchItemFailures: [] });
  });
});
