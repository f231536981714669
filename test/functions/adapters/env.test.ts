import { describe, expect, it } from 'vitest';
import { readEnv } from '../../../functions/adapters/env.ts';
import { pollAgentsEnv } from '../../../functions/poll-agents/environment.ts';
import { publishChangesEnv } from '../../../functions/publish-changes/environment.ts';
import { receiveCallbackEnv } from '../../../functions/receive-callback/environment.ts';
import { reconcileCallsEnv } from '../../../functions/reconcile-calls/environment.ts';

const poller = { AGENTS_TABLE: 'a', CALLFEED_ACCOUNTS: '[]' };
const publisher = { AGENTS_TABLE: 'a', BUS_NAME: 'bus' };
const receiver = { CALLS_TABLE: 'c', QUARANTINE_TABLE: 'q', PARKING_QUEUE_URL: 'https://queue.invalid/1/parking' };
const reconciliation = { CALLS_TABLE: 'c', AGENTS_TABLE: 'a', RECONCILE_QUEUE_URL: 'https://queue.invalid/1/reports' };

describe('the environment of a function', () => {
  it('has its own variables alone, and a default where one is not set', () => {
    expect(readEnv(pollAgentsEnv, { ...poller, PATH: '/bin' })).toEqual({
      ...poller,
      DEPLOYMENT: 'callfeed',
      SNAPSHOT_RETENTION_DAYS: 7,
      INTERVAL_RETENTION_DAYS: 90,
    });
    expect(readEnv(pollAgentsEnv, { ...poller, SNAPSHOT_RETENTION_DAYS: '30' }).SNAPSHOT_RETENTION_DAYS).toBe(30);
  });

  it('is rejected with a sentence that names each faulty variable, what is allowed there, and no value', () => {
    expect(() => readEnv(pollAgentsEnv, { CALLFEED_ACCOUNTS: '', INTERVAL_RETENTION_DAYS: 'all' })).toThrow(
      /^The environment of the function is not usable\. CALLFEED_ACCOUNTS: expected the JSON list of accounts; AGENTS_TABLE: expected the name or ARN of a resource; INTERVAL_RETENTION_DAYS: expected whole days from 1 to 99999$/,
    );
  });

  it.each([
    [pollAgentsEnv, poller, 'AGENTS_TABLE', ['x'], ['', undefined]],
    [pollAgentsEnv, poller, 'SNAPSHOT_RETENTION_DAYS', ['1', '99999'], ['0', '100000', '', '-1', '1.5', 'week']],
    [pollAgentsEnv, poller, 'DEPLOYMENT', ['x', 'x'.repeat(250)], ['', 'x'.repeat(251)]],
    [publishChangesEnv, publisher, 'PERSONAL_FIELDS', ['keep', 'leave-out', undefined], ['drop', '']],
    [
      receiveCallbackEnv,
      receiver,
      'PARKING_QUEUE_URL',
      ['http://localhost:4800/q'],
      ['', 'queue', 'https://a b', 'https://x:99999'],
    ],
    [
      receiveCallbackEnv,
      receiver,
      'CALLBACK_SECRET_SHA256',
      [undefined, 'a'.repeat(64), `${'0'.repeat(64)},${'f'.repeat(64)}`],
      ['', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)},`],
    ],
    [reconcileCallsEnv, reconciliation, 'SETTLE_SECONDS', ['0', '99999', undefined], ['', '-1', '100000', '1 minute']],
  ] as const)('%#: bounds a variable', (declared, environment, name, allowed, wrong) => {
    const isAllowed = (value: string | undefined) => {
      try {
        return readEnv<unknown>(declared, { ...environment, [name]: value }) !== undefined;
      } catch {
        return false;
      }
    };

    expect([allowed.filter(isAllowed), wrong.filter(isAllowed)]).toEqual([allowed, []]);
  });
});
