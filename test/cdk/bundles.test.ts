import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startHttpServer } from '../support/local-server.ts';
import { only } from './resources.ts';
import { synthesise } from './synthesise.ts';

const { template, outdir } = synthesise({ bundled: true });

const assetOf = (name: string): string => {
  const { S3Key } = only(template, 'AWS::Lambda::Function', name)['Code'];

  return join(outdir, `asset.${S3Key.replace(/\.zip$/, '')}`);
};

const runHandler = `
  const { handler } = await import(process.argv[1]);
  process.stdout.write(JSON.stringify(await handler(JSON.parse(process.argv[2]), { getRemainingTimeInMillis: () => 9000 })));
`;

/** What the handler in a bundle returns, run as on Lambda: with credentials in its environment and nowhere else. */
const invoke = async (name: string, event: unknown, environment: Readonly<Record<string, string>>) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      runHandler,
      pathToFileURL(join(assetOf(name), 'index.mjs')).href,
      JSON.stringify(event),
    ],
    {
      cwd: outdir,
      env: {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'example',
        ...environment,
      },
    },
  );

  // What comes before the last line is the function's log.
  return JSON.parse(stdout.split('\n').at(-1) ?? '');
};

/** A server that agrees to everything and remembers what it was asked. */
const agreeableServer = async () => {
  const requests: IncomingMessage[] = [];
  const { url } = await startHttpServer((request, response) => {
    requests.push(request.resume());
    response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}');
  });

  return { url, requests };
};

const isPoll = ({ url }: IncomingMessage) => url === '/ca_apis/getAgentLogins';

const formEvent = (form: string) => ({
  version: '2.0',
  routeKey: 'POST /callDetails',
  rawPath: '/callDetails',
  rawQueryString: '',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  requestContext: {
    http: { method: 'POST', path: '/callDetails', sourceIp: '192.0.2.1' },
    routeKey: 'POST /callDetails',
  },
  body: Buffer.from(form).toString('base64'),
  isBase64Encoded: true,
});

describe('the bundle of', () => {
  it.each(['ReceiveCallback', 'RecoverCallbacks', 'PublishChanges', 'PollAgents'])('%s is one module', (name) => {
    expect(readdirSync(assetOf(name))).toEqual(['index.mjs']);
  });

  it.each([
    ['ReceiveCallback', 400_000],
    ['PollAgents', 370_000],
  ])('%s is at most %i bytes, or its cold start is felt', (name, bytes) => {
    expect(statSync(join(assetOf(name), 'index.mjs')).size).toBeLessThanOrEqual(bytes);
  });

  it('receive-callback stores a call with one request, signed with the credentials of the environment', async () => {
    const { url, requests } = await agreeableServer();
    const summary = {
      monitorUCID: '12345678901234567',
      Apikey: 'key-for-the-test',
      UserName: 'demo',
      Status: 'Answered',
    };

    const { statusCode } = await invoke(
      'ReceiveCallback',
      formEvent(new URLSearchParams({ data: JSON.stringify(summary) }).toString()),
      {
        AWS_ENDPOINT_URL_DYNAMODB: url,
        CALLS_TABLE: 'calls',
        QUARANTINE_TABLE: 'quarantine',
        PARKING_QUEUE_URL: `${url}/parking`,
        CALLFEED_ACCOUNTS: JSON.stringify([{ userName: 'demo', apiKeys: ['key-for-the-test'], baseUrl: url }]),
      },
    );

    expect(statusCode).toBe(200);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      expect.stringContaining('Credential=AKIDEXAMPLE/'),
    ]);
  });

  it('poll-agents asks the service once, with the key and not with what AWS knows us by', async () => {
    const { url, requests } = await agreeableServer();
    const tick = { messageId: '1', body: 'tick', attributes: { SentTimestamp: String(Date.now()) } };

    const answer = await invoke(
      'PollAgents',
      { Records: [tick] },
      {
        AWS_ENDPOINT_URL_DYNAMODB: url,
        AGENTS_TABLE: 'agents',
        CALLFEED_ACCOUNTS: JSON.stringify([{ userName: 'demo', apiKeys: ['key-for-the-test'], baseUrl: url }]),
      },
    );

    const [asked, stored] = [requests.filter(isPoll), requests.filter((request) => !isPoll(request))];
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(asked.map(({ method, headers }) => [method, headers['apikey'], headers.authorization])).toEqual([
      ['POST', 'key-for-the-test', undefined],
    ]);
    for (const { headers } of stored) expect(headers.authorization).toContain('Credential=AKIDEXAMPLE/');
    expect(stored.length).toBeGreaterThan(0);
  });

  it.each([
    ['RecoverCallbacks', { CALLS_TABLE: 'calls', QUARANTINE_TABLE: 'quarantine' }],
    ['PublishChanges', { BUS_NAME: 'bus' }],
    ['PollAgents', { AGENTS_TABLE: 'agents', CALLFEED_ACCOUNTS: '[]' }],
  ])('%s starts, and has nothing to complain of in an empty batch', async (name, environment) => {
    expect(await invoke(name, { Records: [] }, environment)).toEqual({ batchItemFailures: [] });
  });
});

it('CDK finds nothing to object to in the template', () => {
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));

  expect(pluginReports.flatMap((report: { violations: readonly unknown[] }) => report.violations)).toEqual([]);
});
