import { describe, expect, it } from 'vitest';
import { PollAgentsEnv } from '../../../functions/poll-agents/env.ts';
import { ReceiveCallbackEnv } from '../../../functions/receive-callback/env.ts';

const receiver = { CALLS_TABLE: 'c', QUARANTINE_TABLE: 'q', PARKING_QUEUE_URL: 'https://queue.invalid' };
const poller = { AGENTS_TABLE: 'a' };

describe.each([
  ['receiver', ReceiveCallbackEnv, receiver],
  ['poller', PollAgentsEnv, poller],
])('the environment of the %s', (_name, Env, environment) => {
  it.each([
    ['no source of accounts', {}],
    ['two sources of accounts', { ACCOUNTS_SECRET_ARN: 'arn', CALLFEED_ACCOUNTS: '[]' }],
    ['a blank source of accounts', { CALLFEED_ACCOUNTS: '' }],
  ])('is rejected with %s', (_title, accounts) => {
    expect(Env.safeParse({ ...environment, ...accounts }).success).toBe(false);
  });

  it.each([{ ACCOUNTS_SECRET_ARN: 'arn' }, { CALLFEED_ACCOUNTS: '[]' }])('takes %o, beside its own', (accounts) => {
    expect(Env.parse({ ...environment, ...accounts, PATH: '/bin' })).toMatchObject({ ...environment, ...accounts });
  });
});

describe('the environment of the poller', () => {
  const accounts = { ...poller, CALLFEED_ACCOUNTS: '[]' };

  it('retains snapshots for a week and timelines for a quarter by default', () => {
    expect(PollAgentsEnv.parse(accounts)).toEqual({
      ...accounts,
      DEPLOYMENT: 'callfeed',
      METRICS: 'full',
      SNAPSHOT_RETENTION_DAYS: 7,
      INTERVAL_RETENTION_DAYS: 90,
    });
    expect(PollAgentsEnv.parse({ ...accounts, SNAPSHOT_RETENTION_DAYS: '30' })).toMatchObject({
      SNAPSHOT_RETENTION_DAYS: 30,
    });
  });

  it.each([
    ['SNAPSHOT_RETENTION_DAYS', ['1', '99999'], ['0', '100000', '', '-1', '1.5', 'week']],
    ['METRICS', ['essential', 'full'], ['', 'none']],
    ['DEPLOYMENT', ['x', 'x'.repeat(250)], ['', 'x'.repeat(251)]],
  ])('bounds %s', (name, valid, invalid) => {
    const isValid = (value: string) => PollAgentsEnv.safeParse({ ...accounts, [name]: value }).success;

    expect([valid.filter(isValid), invalid.filter(isValid)]).toEqual([valid, []]);
  });
});
