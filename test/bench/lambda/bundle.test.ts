import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundle } from './bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'callfeed-bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));

const aws = [
  ...['@aws-sdk/core', '@aws-sdk/credential-provider-env', '@aws/lambda-invoke-store', '@smithy/core'],
  ...['@smithy/node-http-handler', '@smithy/signature-v4', '@smithy/types'],
];
const dynamodb = [
  ...['@aws-sdk/client-dynamodb', '@aws-sdk/dynamodb-codec', '@aws-sdk/endpoint-cache'],
  ...['@aws-sdk/middleware-endpoint-discovery', 'mnemonist', 'obliterator'],
];
const always = [...aws, '@aws-sdk/util-dynamodb', '@middy/core', 'zod'];

/** The packages of each function. A new package in a bundle must be added here on purpose. */
const listed = [
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
    ],
  ],
  ['publish-changes', [...always, ...dynamodb, '@aws-sdk/client-eventbridge', '@aws-sdk/signature-v4-multi-region']],
  ['recover-callbacks', [...always, ...dynamodb]],
  ['poll-agents', [...always, ...dynamodb, '@aws-sdk/client-secrets-manager']],
  [
    'reconcile-calls',
    [...always, ...dynamodb, '@aws-sdk/client-secrets-manager', '@aws-sdk/client-sqs', '@aws-sdk/middleware-sdk-sqs'],
  ],
] as const;

describe('the bundle of', () => {
  it.each(listed)('%s has these packages and no other', async (name, packages) => {
    const { packages: found } = await bundle(`functions/${name}/index.ts`, join(folder, name));

    expect(found).toEqual([...packages].sort());
  });
});
