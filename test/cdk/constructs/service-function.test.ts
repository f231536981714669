import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sentinelSecret } from '../support/configurations.ts';
import { synthesise } from '../support/synthesise.ts';
import { nameOf, only, someOf } from '../support/template.ts';

const { template } = synthesise({
  context: {
    stage: 'test',
    callRetentionDays: '90',
    quarantineRetentionDays: '7',
    snapshotRetentionDays: '14',
    intervalRetentionDays: '365',
    logRetentionDays: '90',
    personalFieldsInEvents: 'leave-out',
    reconciliation: 'hourly',
    forwarding: 'on',
    recordings: 'archive',
    recordingHosts: 'a.example.com,b.example.com',
    recordingMaxMegabytes: '50',
    callbackSecret: sentinelSecret,
    tracing: 'on',
  },
});

const environmentOf = (name: string): Record<string, string> => {
  const { Variables } = only(template, 'AWS::Lambda::Function', name)['Environment'];

  return Object.fromEntries(Object.entries(Variables).map(([variable, value]) => [variable, nameOf(value)]));
};

describe('the environment of', () => {
  const deployment = { DEPLOYMENT: 'callfeed-test-Callfeed', METRICS: 'essential' };
  const store = {
    ...deployment,
    CALLS_TABLE: 'Calls.Ref',
    QUARANTINE_TABLE: 'Quarantine.Ref',
    CALL_RETENTION_DAYS: '90',
    QUARANTINE_RETENTION_DAYS: '7',
  };

  const secretHash = createHash('sha256').update(sentinelSecret).digest('hex');

  it.each([
    [
      'ReceiveCallback',
      {
        ...store,
        PARKING_QUEUE_URL: 'ParkingQueue.Ref',
        ACCOUNTS_SECRET_ARN: 'Accounts.Ref',
        CALLBACK_SECRET_SHA256: secretHash,
      },
    ],
    ['RecoverCallbacks', store],
    [
      'PollAgents',
      {
        ...deployment,
        AGENTS_TABLE: 'Agents.Ref',
        SNAPSHOT_RETENTION_DAYS: '14',
        INTERVAL_RETENTION_DAYS: '365',
        ACCOUNTS_SECRET_ARN: 'Accounts.Ref',
      },
    ],
    [
      'ReconcileCalls',
      {
        ...deployment,
        CALLS_TABLE: 'Calls.Ref',
        AGENTS_TABLE: 'Agents.Ref',
        ACCOUNTS_SECRET_ARN: 'Accounts.Ref',
        CALL_RETENTION_DAYS: '90',
        RECONCILE_QUEUE_URL: 'ReconcileCallsQueue.Ref',
        CALLBACK_SECRET_SHA256: secretHash,
      },
    ],
    [
      'ForwardDeliveries',
      {
        ...deployment,
        CALLS_TABLE: 'Calls.Ref',
        ACCOUNTS_SECRET_ARN: 'Accounts.Ref',
        FORWARD_QUEUE_URL: 'ForwardDeliveriesQueue.Ref',
      },
    ],
    [
      'ArchiveRecordings',
      {
        ...deployment,
        CALLS_TABLE: 'Calls.Ref',
        RECORDINGS_BUCKET: 'ArchiveRecordingsBucket.Ref',
        RECORDINGS_QUEUE_URL: 'ArchiveRecordingsQueue.Ref',
        RECORDINGS_DEAD_LETTERS_URL: 'ArchiveRecordingsDeadLetters.Ref',
        RECORDING_HOSTS: 'a.example.com,b.example.com',
        RECORDING_MAX_MEGABYTES: '50',
      },
    ],
    [
      'PublishChanges',
      { ...deployment, AGENTS_TABLE: 'Agents.Ref', BUS_NAME: 'Bus.Ref', PERSONAL_FIELDS: 'leave-out' },
    ],
  ])('%s has its resources and settings', (name, environment) => {
    expect(environmentOf(name)).toEqual(environment);
  });
});

describe('every function', () => {
  it.each([
    ['ReceiveCallback', 10, 512],
    ['RecoverCallbacks', 60, 512],
    ['PublishChanges', 60, 512],
    ['PollAgents', 13, 512],
    ['ReconcileCalls', 60, 1_769],
    ['ForwardDeliveries', 60, 512],
    ['ArchiveRecordings', 900, 256],
  ])(
    '%s runs on Node 24 and arm64 for at most %i s in %i MB, with tracing and its own log',
    (name, seconds, memory) => {
      expect(only(template, 'AWS::Lambda::Function', name)).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        Timeout: seconds,
        MemorySize: memory,
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.stringContaining(`${name}ServiceLogs`) } },
      });
    },
  );

  it('is one of these seven', () => {
    expect(someOf(template, 'AWS::Lambda::Function')).toHaveLength(7);
  });
});

describe('every log', () => {
  it.each(someOf(template, 'AWS::Logs::LogGroup'))('%s has the retention of the setting', (_id, log) => {
    expect(log['RetentionInDays']).toBe(90);
  });

  it('is of a function or of the API', () => {
    expect(someOf(template, 'AWS::Logs::LogGroup')).toHaveLength(8);
  });
});

it('there is no tracing by default, nor its permissions', () => {
  const { template: untraced } = synthesise();

  for (const [, { TracingConfig }] of someOf(untraced, 'AWS::Lambda::Function')) expect(TracingConfig).toBeUndefined();
  expect(JSON.stringify(someOf(untraced, 'AWS::IAM::Policy'))).not.toContain('xray:');
});

it.each(['ReceiveCallback', 'ReconcileCalls'])(
  '%s gets the hashes of the new and the former callback secret',
  (name) => {
    const secrets = { callbackSecret: sentinelSecret, formerCallbackSecret: `former-${sentinelSecret}` };
    const { template: changing } = synthesise({ context: { ...secrets, reconciliation: 'hourly' } });
    const { Variables } = only(changing, 'AWS::Lambda::Function', name)['Environment'];

    expect(Variables.CALLBACK_SECRET_SHA256).toBe(
      Object.values(secrets)
        .map((secret) => createHash('sha256').update(secret).digest('hex'))
        .join(','),
    );
  },
);
