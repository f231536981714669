import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { clientsIn, environmentOf } from '../start/bundles.ts';
import { firstEvent, functionNames, type MeasuredFunction } from '../start/first-events.ts';
import { startServices } from '../start/services.ts';
import { bundle } from './lambda-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'callfeed-bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));

const aws = [
  '@aws-sdk/core',
  '@aws-sdk/credential-provider-env',
  '@aws/lambda-invoke-store',
  '@smithy/core',
  '@smithy/node-http-handler',
  '@smithy/signature-v4',
  '@smithy/types',
];
const dynamodb = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/dynamodb-codec',
  '@aws-sdk/util-dynamodb',
  // Ways to find an address of DynamoDB, which come with its client.
  '@aws-sdk/endpoint-cache',
  '@aws-sdk/middleware-endpoint-discovery',
  'mnemonist',
  'obliterator',
];
const always = [...aws, '@middy/core', 'zod'];

/** The packages of each function. A new package in a bundle must be added here on purpose. */
const listed: readonly (readonly [MeasuredFunction | 'transform-events', readonly string[]])[] = [
  [
    'receive-callback',
    [
      ...always,
      ...dynamodb,
      '@aws-sdk/client-secrets-manager',
      '@aws-sdk/client-sqs',
      '@aws-sdk/middleware-sdk-sqs',
      '@middy/http-urlencode-body-parser',
      '@middy/util',
      'libphonenumber-js',
    ],
  ],
  ['publish-changes', [...always, ...dynamodb, '@aws-sdk/client-eventbridge', '@aws-sdk/signature-v4-multi-region']],
  ['recover-callbacks', [...always, ...dynamodb, 'libphonenumber-js']],
  ['poll-agents', [...always, ...dynamodb, '@aws-sdk/client-secrets-manager']],
  [
    'reconcile-calls',
    [
      ...always,
      ...dynamodb,
      '@aws-sdk/client-secrets-manager',
      '@aws-sdk/client-sqs',
      '@aws-sdk/middleware-sdk-sqs',
      'libphonenumber-js',
    ],
  ],
  [
    'forward-deliveries',
    [...always, ...dynamodb, '@aws-sdk/client-secrets-manager', '@aws-sdk/client-sqs', '@aws-sdk/middleware-sdk-sqs'],
  ],
  [
    'archive-recordings',
    [
      ...always,
      ...dynamodb,
      '@aws-sdk/client-sqs',
      '@aws-sdk/middleware-sdk-sqs',
      '@aws-sdk/checksums',
      '@aws-sdk/client-s3',
      '@aws-sdk/lib-storage',
      '@aws-sdk/middleware-sdk-s3',
      '@aws-sdk/signature-v4-multi-region',
      '@aws-sdk/xml-builder',
      'ipaddr.js',
    ],
  ],
  ['transform-events', ['@middy/core', 'zod']],
];

describe('the bundle of', () => {
  it.each(listed)('%s has these packages and no other', async (name, packages) => {
    const { packages: found } = await bundle(`functions/${name}/index.ts`, join(folder, name));

    expect(found).toEqual([...packages].sort());
  });

  it.each(functionNames)('the AWS clients of %s alone has only packages that the function has too', async (name) => {
    const { packages } = await clientsIn(name, folder);
    const own: readonly string[] = new Map(listed).get(name) ?? [];

    expect(packages.filter((each) => !own.includes(each))).toEqual([]);
  });
});

const reasons = {
  'node:crypto': 'hashes of keys and contents, signatures of requests',
  'node:dns/promises': 'the addresses of the hosts of recordings, which are checked',
  'node:fs': 'the SDK asks for the length of a body that is a file; Node itself has loaded it',
  'node:fs/promises': 'the SDK looks for profiles, unless it has every setting',
  'node:http': 'requests to the telephony service and to other receivers; the SDK loads it with its first request',
  'node:https': 'requests to AWS',
  'node:os': 'the SDK names the platform in its requests',
  'node:path': 'the SDK looks for profiles',
  'node:process': 'the SDK names the version of Node',
  'node:querystring': 'forms, by the middleware',
  'node:stream': 'bodies of answers',
  'node:timers': 'the SDK’s time-outs',
  'node:zlib': 'compressed answers; checksums of objects, by the SDK',
  'node:timers/promises': 'pauses, and what waits until the function has started',
};
type Loaded = keyof typeof reasons;

const byEvery: readonly Loaded[] = [
  'node:crypto',
  'node:fs',
  'node:fs/promises',
  'node:https',
  'node:os',
  'node:path',
  'node:process',
  'node:stream',
  'node:timers',
];

const ownModules: Readonly<Record<MeasuredFunction, readonly Loaded[]>> = {
  'receive-callback': ['node:http', 'node:querystring', 'node:timers/promises'],
  'publish-changes': ['node:timers/promises'],
  'recover-callbacks': [],
  'poll-agents': ['node:http', 'node:timers/promises', 'node:zlib'],
  'reconcile-calls': ['node:http', 'node:timers/promises', 'node:zlib'],
  'forward-deliveries': ['node:http', 'node:timers/promises', 'node:zlib'],
  'archive-recordings': ['node:dns/promises', 'node:http', 'node:timers/promises', 'node:zlib'],
};

/** What each sends, signed with credentials that only its environment has. */
const sent: Readonly<Record<MeasuredFunction, string>> = {
  'receive-callback': 'GetSecretValue PutItem',
  'publish-changes': 'PutEvents UpdateItem',
  'recover-callbacks': 'PutItem',
  'poll-agents': 'BatchWriteItem GetSecretValue PutItem Query TransactWriteItems getAgentLogins',
  'reconcile-calls': 'GetSecretValue SendMessage',
  'forward-deliveries': 'GetSecretValue SendMessageBatch',
  'archive-recordings': 'Query',
};

/** Loads a bundle, sends it its first event, and prints which modules of Node it required until then, and afterwards. */
const observe = `
  const Module = require('node:module');
  const load = Module._load;
  const loaded = [];
  Module._load = (id, ...rest) => { loaded.push(id); return load(id, ...rest); };
  const [file, event] = process.argv.slice(1);
  const { handler } = require(file);
  const atStart = loaded.splice(0);
  process.getBuiltinModule('node:fs/promises').readFile = async (path) => {
    console.log('The SDK reads ' + path);
    throw new Error('There is no such file');
  };
  handler(JSON.parse(event), { getRemainingTimeInMillis: () => 10_000 }).then(() => {
    const webClient = process.moduleLoadList.filter((name) => /undici/.test(name));
    process.stdout.write('\\n' + JSON.stringify({ atStart, byFirstEvent: loaded, webClient }));
  });`;

describe('until its first reply', () => {
  const builtIn = (ids: readonly string[]) => [...new Set(ids.filter((id) => id.startsWith('node:')))].sort();

  it.each(functionNames)(
    '%s loads these modules of Node and no other, least of all its web client, reads no file, and sends its requests',
    async (name) => {
      const entry = `functions/${name}/index.ts`;
      const { folder: own } = await bundle(entry, join(folder, name));
      const services = await startServices();
      onTestFinished(services.close);
      const env = { ...process.env, AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' };
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['-e', observe, join(own, 'index.js'), JSON.stringify(firstEvent[name]())],
        { env: { ...env, ...environmentOf(services.url) } },
      );
      const seen = JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1));

      expect(stdout).not.toContain('The SDK reads');
      expect(builtIn(seen.atStart)).toEqual([...byEvery, ...ownModules[name]].sort());
      expect(builtIn(seen.byFirstEvent)).toEqual(['node:http']);
      expect(seen.webClient).toEqual([]);
      const operations = services.takeRequests().map(({ operation }) => operation);
      expect([...new Set(operations)].sort().join(' ')).toBe(sent[name]);
    },
  );
});
