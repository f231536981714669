import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { bundle } from '../../../bench/lambda/lambda-process.ts';
import { archiveRecordingsEnv } from '../../../functions/archive-recordings/environment.ts';
import { forwardDeliveriesEnv } from '../../../functions/forward-deliveries/environment.ts';
import { pollAgentsEnv } from '../../../functions/poll-agents/environment.ts';
import { publishChangesEnv } from '../../../functions/publish-changes/environment.ts';
import { receiveCallbackEnv } from '../../../functions/receive-callback/environment.ts';
import { reconcileCallsEnv } from '../../../functions/reconcile-calls/environment.ts';
import { recoverCallbacksEnv } from '../../../functions/recover-callbacks/environment.ts';
import { mapValues } from '../../../lib/core/collections.ts';
import { sentinelSecret, switchedOn } from '../support/configurations.ts';
import { nameOf, only, someOf, synthesise } from '../support/template.ts';

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

/** Variables that no stack sets: a default that nobody changed yet, and what only the sandbox and emulators set. */
const unset = ['SETTLE_SECONDS', 'CALLFEED_ACCOUNTS', 'RECORDINGS_THROUGH', 'AWS_ENDPOINT_URL'];

const { template: byDefault } = synthesise({ context: { ...switchedOn, analytics: 'off' } });

/** Each function with its limits, what it declares, and the most KB of its bundle; those that write calls have the full tables of telephone numbers, 178 KB with their code. */
const functions = [
  ['ReceiveCallback', 15, 1_024, receiveCallbackEnv, 530],
  ['RecoverCallbacks', 60, 512, recoverCallbacksEnv, 450],
  ['PublishChanges', 60, 512, publishChangesEnv, 400],
  ['PollAgents', 13, 512, pollAgentsEnv, 400],
  ['ReconcileCalls', 60, 1_769, reconcileCallsEnv, 540],
  ['ForwardDeliveries', 60, 512, forwardDeliveriesEnv, 400],
  // Nobody waits for it.
  ['ArchiveRecordings', 900, 512, archiveRecordingsEnv, 500],
] as const;

describe('every function', () => {
  it.each(functions)(
    '%s runs on Node 24 and arm64 for at most %i s in %i MB, with tracing, its own log, and its resources and settings',
    (name, seconds, memory, { shape }) => {
      const { Environment, ...properties } = only(template, 'AWS::Lambda::Function', name);

      expect(mapValues(Environment.Variables, nameOf)).toEqual(
        Object.fromEntries(variables.filter(([, , functions]) => functions?.includes(name) ?? true)),
      );
      expect(
        Object.keys(shape).filter((variable) => !(variable in Environment.Variables || unset.includes(variable))),
      ).toEqual([]);
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

  it.each(functions)(
    '%s has no default for a variable but the one of the stack',
    (name, _seconds, _memory, { shape }) => {
      const { DEPLOYMENT, ...given } = only(byDefault, 'AWS::Lambda::Function', name)['Environment'].Variables;
      const withDefault = Object.entries<z.ZodMiniType>(shape).filter(
        ([variable, schema]) => variable in given && schema instanceof z.ZodMiniDefault,
      );

      expect(withDefault.map(([variable, schema]) => [variable, schema.parse(undefined)])).toEqual(
        withDefault.map(([variable, schema]) => [variable, schema.parse(given[variable])]),
      );
    },
  );

  it('is one of these, and each log, also the log of the API, has the retention of the setting', () => {
    expect(someOf(template, 'AWS::Lambda::Function')).toHaveLength(functions.length);
    expect(someOf(template, 'AWS::Logs::LogGroup').map(([, log]) => log['RetentionInDays'])).toEqual(
      Array(functions.length + 1).fill(90),
    );
  });

  it('has no tracing by default, nor its permissions', () => {
    for (const [, { TracingConfig }] of someOf(byDefault, 'AWS::Lambda::Function'))
      expect(TracingConfig).toBeUndefined();
    expect(JSON.stringify(someOf(byDefault, 'AWS::IAM::Policy'))).not.toContain('xray:');
  });
});

const { template: withCode, outdir } = synthesise({ bundled: true, context: switchedOn });

const assetOf = (name: string): string =>
  join(outdir, `asset.${only(withCode, 'AWS::Lambda::Function', name)['Code'].S3Key.replace(/\.zip$/, '')}`);

describe('the bundle of', () => {
  it.each(functions.map(([id, , , , size]) => [id, size] as const))(
    '%s is one file, the one that bench/lambda/bundle.long.ts starts, of at most %i KB',
    async (id, size) => {
      const name = id.replaceAll(/(?<!^)[A-Z]/g, '-$&').toLowerCase();
      const { folder } = await bundle(`functions/${name}/index.ts`, join(outdir, name));
      const code = readFileSync(join(assetOf(id), 'index.js'));

      expect(readdirSync(assetOf(id))).toEqual(['index.js']);
      expect(code.length).toBeLessThanOrEqual(size * 1_000);
      expect(code.equals(readFileSync(join(folder, 'index.js')))).toBe(true);
    },
  );
});
