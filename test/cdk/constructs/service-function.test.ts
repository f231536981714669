import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { archiveRecordingsEnv } from '../../../functions/archive-recordings/environment.ts';
import { forwardDeliveriesEnv } from '../../../functions/forward-deliveries/environment.ts';
import { pollAgentsEnv } from '../../../functions/poll-agents/environment.ts';
import { publishChangesEnv } from '../../../functions/publish-changes/environment.ts';
import { receiveCallbackEnv } from '../../../functions/receive-callback/environment.ts';
import { reconcileCallsEnv } from '../../../functions/reconcile-calls/environment.ts';
import { recoverCallbacksEnv } from '../../../functions/recover-callbacks/environment.ts';
import { mapValues } from '../../../lib/core/collections.ts';
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
    formerCallbackSecret: `former-${sentinelSecret}`,
    tracing: 'on',
  },
});

const storing = ['ReceiveCallback', 'RecoverCallbacks'];
const withAccounts = ['ReceiveCallback', 'PollAgents', 'ReconcileCalls', 'ForwardDeliveries'];
const secretHashes = [sentinelSecret, `former-${sentinelSecret}`].map((secret) =>
  createHash('sha256').update(secret).digest('hex'),
);

/** Each variable, its value, and the functions that have it; without a list all. */
const variables: readonly (readonly [name: string, value: string, functions?: readonly string[]])[] = [
  ['DEPLOYMENT', 'callfeed-test-Callfeed'],
  ['CALLS_TABLE', 'Calls.Ref', [...storing, 'ReconcileCalls', 'ForwardDeliveries', 'ArchiveRecordings']],
  ['QUARANTINE_TABLE', 'Quarantine.Ref', storing],
  ['CALL_RETENTION_DAYS', '90', [...storing, 'ReconcileCalls']],
  ['QUARANTINE_RETENTION_DAYS', '7', storing],
  ['AGENTS_TABLE', 'Agents.Ref', ['PublishChanges', 'PollAgents', 'ReconcileCalls']],
  ['SNAPSHOT_RETENTION_DAYS', '14', ['PollAgents']],
  ['INTERVAL_RETENTION_DAYS', '365', ['PollAgents']],
  ['ACCOUNTS_SECRET_ARN', 'Accounts.Ref', withAccounts],
  ['CALLBACK_SECRET_SHA256', secretHashes.join(','), ['ReceiveCallback', 'ReconcileCalls']],
  ['PARKING_QUEUE_URL', 'ParkingQueue.Ref', ['ReceiveCallback']],
  ['RECONCILE_QUEUE_URL', 'ReconcileCallsQueue.Ref', ['ReconcileCalls']],
  ['FORWARD_QUEUE_URL', 'ForwardDeliveriesQueue.Ref', ['ForwardDeliveries']],
  ['RECORDINGS_BUCKET', 'ArchiveRecordingsBucket.Ref', ['ArchiveRecordings']],
  ['RECORDINGS_QUEUE_URL', 'ArchiveRecordingsQueue.Ref', ['ArchiveRecordings']],
  ['RECORDINGS_DEAD_LETTERS_URL', 'ArchiveRecordingsDeadLetters.Ref', ['ArchiveRecordings']],
  ['RECORDING_HOSTS', 'a.example.com,b.example.com', ['ArchiveRecordings']],
  ['RECORDING_MAX_MEGABYTES', '50', ['ArchiveRecordings']],
  ['BUS_NAME', 'Bus.Ref', ['PublishChanges']],
  ['PERSONAL_FIELDS', 'leave-out', ['PublishChanges']],
];

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
    '%s runs on Node 24 and arm64 for at most %i s in %i MB, with tracing, its own log, and its resources and settings',
    (name, seconds, memory) => {
      const { Environment, ...properties } = only(template, 'AWS::Lambda::Function', name);

      expect(mapValues(Environment.Variables, nameOf)).toEqual(
        Object.fromEntries(variables.filter(([, , functions]) => functions?.includes(name) ?? true)),
      );
      expect(properties).toMatchObject({
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

  /** Variables that no stack sets: a default that nobody changed yet, and what only the sandbox and emulators set. */
  const unset = ['SETTLE_SECONDS', 'CALLFEED_ACCOUNTS', 'RECORDINGS_THROUGH', 'AWS_ENDPOINT_URL'];

  it.each([
    ['ReceiveCallback', receiveCallbackEnv],
    ['RecoverCallbacks', recoverCallbacksEnv],
    ['PublishChanges', publishChangesEnv],
    ['PollAgents', pollAgentsEnv],
    ['ReconcileCalls', reconcileCallsEnv],
    ['ForwardDeliveries', forwardDeliveriesEnv],
    ['ArchiveRecordings', archiveRecordingsEnv],
  ])('%s gets every variable that it declares', (name, { shape }) => {
    const { Variables } = only(template, 'AWS::Lambda::Function', name)['Environment'];

    expect(Object.keys(Variables)).toEqual(
      expect.arrayContaining(Object.keys(shape).filter((variable) => !unset.includes(variable))),
    );
  });

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
