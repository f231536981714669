import type { App } from 'aws-cdk-lib';
import { CallfeedStack } from '../../../cdk/callfeed-stack.ts';
import { parseSettings } from '../../../cdk/settings/read-settings.ts';
import cdkJson from '../../../cdk.json' with { type: 'json' };

/** A key outside of the app, whose owner writes its policy. */
export const kmsKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

/** A secret that must not appear in any synthesised file. */
export const sentinelSecret = 'SENTINEL-0123456789-abcdef';

/** What is off by default and adds functions, switched on. */
export const switchedOn = {
  reconciliation: 'hourly',
  forwarding: 'on',
  recordings: 'archive',
  recordingHosts: 'recordings.example.com',
  analytics: 'on',
} as const;

/** Three deployments that represent all others: the defaults, everything switched on, and everything optional left out. */
export const configurations = {
  'no settings': {},
  everything: {
    stage: 'dev',
    dataProtection: 'off',
    kmsKeyArn,
    alarmEmail: 'ops@example.com',
    subscriberAccounts: '111122223333,444455556666',
    readerAccounts: '444455556666',
    callbackSecret: sentinelSecret,
    callbackDomain: 'calls.example.com',
    callbackCertificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/1234abcd-12ab-34cd-56ef-1234567890ab',
    receiverConcurrency: '50',
    ...switchedOn,
    analyticsRetentionDays: 400,
    lakeFormation: 'iam',
    personalFieldsInEvents: 'leave-out',
    callRetentionDays: 30,
    dashboard: 'on',
    tracing: 'on',
  },
  'the least': { agentPolling: 'off', leaveOut: 'archive,schemas,queries,bus-policy' },
} as const;

export type Context = Readonly<Record<string, unknown>>;

/** The stack with these settings, in an app. */
export const stackIn = (app: App, context: Context = {}): CallfeedStack => {
  const settings = parseSettings({ ...cdkJson.context, ...context });
  if (!settings.ok) throw new Error(settings.problem.join('\n'));

  return new CallfeedStack(app, settings.value);
};
