import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sentinelSecret, synthesise } from '../support/synthesise.ts';
import { nameOf, only, someOf } from '../support/template.ts';

const { template } = synthesise({
  context: {
    stage: 'test',
    callRetentionDays: '90',
    quarantineRetentionDays: '7',
    snapshotRetentionDays: '14',
    intervalRetentionDays: '365',
    logRetentionDays: '90',
    timeZone: 'Europe/London',
    personalFieldsInEvents: 'leave-out',
    callbackSecret: sentinelSecret,
  },
});

const environmentOf = (name: string): Record<string, string> => {
  const { Variables } = only(template, 'AWS::Lambda::Function', name)['Environment'];

  return Object.fromEntries(Object.entries(Variables).map(([variable, value]) => [variable, nameOf(value)]));
};

describe('the environment of', () => {
  const deployment = { DEPLOYMENT: 'callfeed-test-Callfeed' };
  const store = {
    ...deployment,
    CALLS_TABLE: 'Calls.Ref',
    QUARANTINE_TABLE: 'Quarantine.Ref',
    CALL_RETENTION_DAYS: '90',
    QUARANTINE_RETENTION_DAYS: '7',
  };

  it.each([
    [
      'ReceiveCallback',
      'names what it writes to and how it knows a sender',
      {
        ...store,
        PARKING_QUEUE_URL: 'ParkingQueue.Ref',
        ACCOUNTS_SECRET_ARN: 'Accounts.Ref',
        DEFAULT_TIME_ZONE: 'Europe/London',
        CALLBACK_SECRET_SHA256: createHash('sha256').update(sentinelSecret).digest('hex'),
      },
    ],
    ['RecoverCallbacks', 'names what it writes to', store],
    [
      'PollAgents',
      'names what it writes to, for how long, and whom it polls',
      {
        ...deployment,
        AGENTS_TABLE: 'Agents.Ref',
        SNAPSHOT_RETENTION_DAYS: '14',
        INTERVAL_RETENTION_DAYS: '365',
        ACCOUNTS_SECRET_ARN: 'Accounts.Ref',
        DEFAULT_TIME_ZONE: 'Europe/London',
      },
    ],
    [
      'PublishChanges',
      'names the bus and what subscribers may see',
      { ...deployment, BUS_NAME: 'Bus.Ref', PERSONAL_FIELDS: 'leave-out' },
    ],
  ])('%s %s', (name, _what, environment) => {
    expect(environmentOf(name)).toEqual(environment);
  });
});

describe('every function', () => {
  it.each([
    ['ReceiveCallback', 10],
    ['RecoverCallbacks', 60],
    ['PublishChanges', 60],
    ['PollAgents', 13],
  ])('%s runs on Node 24 and arm64 for at most %i s, traced, with a log of its own', (name, timeoutSeconds) => {
    expect(only(template, 'AWS::Lambda::Function', name)).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      Timeout: timeoutSeconds,
      MemorySize: 512,
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.stringContaining(`${name}ServiceLogs`) } },
    });
  });

  it('is one of these four', () => {
    expect(someOf(template, 'AWS::Lambda::Function')).toHaveLength(4);
  });
});

describe('every log', () => {
  it.each(someOf(template, 'AWS::Logs::LogGroup'))('%s is kept for as long as the setting says', (_id, log) => {
    expect(log['RetentionInDays']).toBe(90);
  });

  it('is of a function or of the API', () => {
    expect(someOf(template, 'AWS::Logs::LogGroup')).toHaveLength(5);
  });
});

it('tells X-Ray nothing, and has no right to, where tracing is off', () => {
  const { template: untraced } = synthesise({ context: { tracing: 'off' } });

  for (const [, { TracingConfig }] of someOf(untraced, 'AWS::Lambda::Function')) expect(TracingConfig).toBeUndefined();
  expect(JSON.stringify(someOf(untraced, 'AWS::IAM::Policy'))).not.toContain('xray:');
});

it('takes the former callback secret beside the new one, both by their hashes', () => {
  const secrets = { callbackSecret: sentinelSecret, formerCallbackSecret: `former-${sentinelSecret}` };
  const { template: changing } = synthesise({ context: secrets });
  const { Variables } = only(changing, 'AWS::Lambda::Function', 'ReceiveCallback')['Environment'];

  expect(Variables.CALLBACK_SECRET_SHA256).toBe(
    Object.values(secrets)
      .map((secret) => createHash('sha256').update(secret).digest('hex'))
      .join(','),
  );
});
