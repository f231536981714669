import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PollAgentsEnv } from '../../../functions/poll-agents/env.ts';
import { PublishChangesEnv } from '../../../functions/publish-changes/env.ts';
import { ReceiveCallbackEnv } from '../../../functions/receive-callback/env.ts';
import { RecoverCallbacksEnv } from '../../../functions/recover-callbacks/env.ts';
import { demoAccount } from '../../../sandbox/accounts.ts';
import { applyEnvironment, functionEnvironment } from '../../../sandbox/functions-host/function-environment.ts';

const settings = {
  dynamodbUrl: 'http://127.0.0.1:1',
  queueUrl: 'http://127.0.0.1:2',
  busUrl: 'http://127.0.0.1:3',
  parkingQueueUrl: 'http://127.0.0.1:2/000000000000/callfeed-parking',
  busName: 'callfeed',
  tableNames: { calls: 'callfeed-calls', agents: 'callfeed-agents', quarantine: 'callfeed-quarantine' },
  accounts: [demoAccount],
  callbackSecret: undefined,
};

describe('functionEnvironment', () => {
  it.each([
    ['receive-callback', ReceiveCallbackEnv],
    ['publish-changes', PublishChangesEnv],
    ['recover-callbacks', RecoverCallbacksEnv],
    ['poll-agents', PollAgentsEnv],
  ])('is what %s asks for', (_name, schema) => {
    expect(schema.safeParse(functionEnvironment(settings)).error).toBeUndefined();
  });

  it('hands over the hash of the callback secret, not the secret', () => {
    const environment = functionEnvironment({ ...settings, callbackSecret: 'hush' });

    expect(environment['CALLBACK_SECRET_SHA256']).toBe(createHash('sha256').update('hush').digest('hex'));
    expect(JSON.stringify(environment)).not.toContain('hush');
  });
});

describe('applyEnvironment', () => {
  it('sets and unsets, and puts everything back', () => {
    process.env['CALLFEED_TEST_SET'] = 'before';
    delete process.env['CALLFEED_TEST_UNSET'];
    const restore = applyEnvironment({ CALLFEED_TEST_SET: undefined, CALLFEED_TEST_UNSET: 'now' });

    expect([process.env['CALLFEED_TEST_SET'], process.env['CALLFEED_TEST_UNSET']]).toEqual([undefined, 'now']);
    restore();
    expect([process.env['CALLFEED_TEST_SET'], process.env['CALLFEED_TEST_UNSET']]).toEqual(['before', undefined]);
    delete process.env['CALLFEED_TEST_SET'];
  });
});
