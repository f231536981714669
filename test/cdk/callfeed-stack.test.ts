import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { StackOutputs } from '../../cli/connection/connect.ts';
import manifest from '../../package.json' with { type: 'json' };
import { sentinelSecret, switchedOn } from './support/configurations.ts';
import { nameOf, someOf, synthesise } from './support/template.ts';

describe('the stack', () => {
  const { template, warnings, outdir, stack } = synthesise({
    context: {
      stage: 'test',
      callbackSecret: sentinelSecret,
      dashboard: 'on',
      ...switchedOn,
    },
  });

  it('is named and tagged for its stage, and synthesises without a warning', () => {
    expect(stack.stackName).toBe('callfeed-test');
    expect(stack.tags.tagValues()).toEqual({ application: 'callfeed', stage: 'test' });
    expect(warnings).toEqual([]);
  });

  it('outputs what operators and subscribers need', () => {
    const outputs = Object.entries(template.findOutputs('*')).map(([id, { Value }]) => [id, nameOf(Value)]);

    expect(Object.fromEntries(outputs)).toEqual({
      CallbackUrl: 'ApiHttpApi.ApiEndpoint',
      Version: manifest.version,
      BusName: 'Bus.Ref',
      BusArn: 'Bus.Arn',
      CallsTableName: 'Calls.Ref',
      AgentsTableName: 'Agents.Ref',
      QuarantineTableName: 'Quarantine.Ref',
      AccountsSecretArn: 'Accounts.Ref',
      CallRetentionDays: '730',
      QuarantineRetentionDays: '30',
      EventArchiveArn: 'Archive.Arn',
      EventArchiveRetentionDays: '30',
      ParkingQueueUrl: 'ParkingQueue.Ref',
      ParkingDeadLettersUrl: 'ParkingDeadLetters.Ref',
      PublisherName: 'PublishChangesServiceFunction.Ref',
      FailedChangesBucketName: 'PublishChangesUnpublished.Ref',
      TickQueueUrl: 'PollAgentsTicks.Ref',
      ReconciliationQueueUrl: 'ReconcileCallsQueue.Ref',
      ForwardingQueueUrl: 'ForwardDeliveriesQueue.Ref',
      ForwardingDeadLettersUrl: 'ForwardDeliveriesDeadLetters.Ref',
      RecordingsBucketName: 'ArchiveRecordingsBucket.Ref',
      RecordingsQueueUrl: 'ArchiveRecordingsQueue.Ref',
      RecordingsDeadLettersUrl: 'ArchiveRecordingsDeadLetters.Ref',
      AnalyticsBucketName: 'AnalyticsLake.Ref',
      AnalyticsDatabase: 'callfeed_test_callfeed',
      AnalyticsRuleArns: 'AnalyticsCallRevisionsRule.Arn,AnalyticsAgentChangesRule.Arn',
      AnalyticsUndeliveredUrl: 'AnalyticsUndelivered.Ref',
      AnalyticsWorkGroup: 'callfeed-test-Callfeed',
      AlarmTopicArn: 'MonitoringTopic.Ref',
      DashboardName: 'MonitoringDashboard.Ref',
    });
  });

  it('has a dashboard only with dashboard=on', () => {
    const { template: byDefault } = synthesise();

    expect(byDefault.findOutputs('DashboardName')).toEqual({});
    expect(byDefault.findResources('AWS::CloudWatch::Dashboard')).toEqual({});
  });

  it('has every output that the command line reads', () => {
    expect(Object.keys(template.findOutputs('*'))).toEqual(expect.arrayContaining(Object.keys(StackOutputs.shape)));
  });

  it('describes each output', () => {
    for (const { Description } of Object.values(template.findOutputs('*')))
      expect(Description).toMatch(/^[A-Z].{10,}\.$/);
  });

  it('has only the hash of the callback secret in the synthesised files', () => {
    const files = readdirSync(outdir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const synthesised = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');

    expect(synthesised).toContain(createHash('sha256').update(sentinelSecret).digest('hex'));
    expect(synthesised).not.toContain('SENTINEL');
  });

  it('sets every feature flag that the installed CDK recommends', () => {
    expect(cdkJson.context).toMatchObject(recommendedFlags);
  });

  it('uses the configured bootstrap stack, or the default one', () => {
    const qualifierOf = (context: Readonly<Record<string, string>>) =>
      synthesise({ context }).stack.synthesizer.bootstrapQualifier;

    expect([qualifierOf({}), qualifierOf({ bootstrapQualifier: 'callfeed' })]).toEqual(['hnb659fds', 'callfeed']);
  });
});

it('gives every role the configured boundary, or none', () => {
  const boundariesOf = (context: Readonly<Record<string, string>>) =>
    someOf(synthesise({ context }).template, 'AWS::IAM::Role').map(([, role]) =>
      JSON.stringify(role['PermissionsBoundary']),
    );

  expect(new Set(boundariesOf({}))).toEqual(new Set([undefined]));
  expect(new Set(boundariesOf({ permissionsBoundary: 'callfeed-boundary' }))).toEqual(
    new Set([expect.stringContaining(':policy/callfeed-boundary')]),
  );
});
