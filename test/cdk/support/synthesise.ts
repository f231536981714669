import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { CallfeedStack } from '../../../cdk/callfeed-stack.ts';
import { parseSettings } from '../../../cdk/settings/read-settings.ts';
import cdkJson from '../../../cdk.json' with { type: 'json' };

/** A key outside of the app, whose owner writes its policy. */
export const kmsKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

/** A secret that must not appear in any synthesised file. */
export const sentinelSecret = 'SENTINEL-0123456789-abcdef';

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
    reconciliation: 'hourly',
    personalFieldsInEvents: 'leave-out',
    callRetentionDays: 30,
    monitoring: 'full',
    tracing: 'on',
  },
  'the least': { agentPolling: 'off', leaveOut: 'archive,schemas,queries,bus-policy' },
} as const;

/** What an app does besides synthesising. Each takes seconds, so only one file uses it. */
export interface Thorough {
  readonly bundled?: boolean;
  /** Whether CDK checks the template against CloudFormation's schemas. */
  readonly validated?: boolean;
}

/** An app as `cdk synth` creates it, with its own output folder that is removed after the test file. */
export const appFor = ({ bundled = false, validated = false }: Thorough = {}) => {
  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-synth-'));
  afterAll(() => rmSync(outdir, { recursive: true }));

  return new App({
    outdir,
    builtinCloudFormationValidation: validated,
    context: { ...cdkJson.context, ...(!bundled && { 'aws:cdk:bundling-stacks': [] }) },
  });
};

type Context = Readonly<Record<string, unknown>>;

/** The stack with these settings, in an app. */
export const stackIn = (app: App, context: Context = {}): CallfeedStack => {
  const settings = parseSettings({ ...cdkJson.context, ...context });
  if (!settings.ok) throw new Error(settings.problem.join('\n'));

  return new CallfeedStack(app, settings.value);
};

/** The stack as `cdk synth` makes it. */
export const synthesise = ({ context, ...thorough }: Thorough & { readonly context?: Context } = {}) => {
  const app = appFor(thorough);
  const stack = stackIn(app, context);

  return {
    stack,
    outdir: app.outdir,
    stackName: stack.stackName,
    template: Template.fromStack(stack),
    warnings: Annotations.fromStack(stack).findWarning('*', Match.anyValue()),
  };
};
