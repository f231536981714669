import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { StackOutputs } from '../../cli/frame/connect.ts';
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

  it('describes each output, and has every one that the command line reads', () => {
    const outputs = template.findOutputs('*');

    for (const { Description } of Object.values(outputs)) expect(Description).toMatch(/^[A-Z].{10,}\.$/);
    expect(Object.keys(outputs)).toEqual(expect.arrayContaining(Object.keys(StackOutputs.shape)));
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

  it.each([
    [{}, 'hnb659fds', [undefined]],
    [
      { bootstrapQualifier: 'callfeed', permissionsBoundary: 'callfeed-boundary' },
      'callfeed',
      [expect.stringContaining(':policy/callfeed-boundary')],
    ],
  ])(
    'with %j has this bootstrap stack, the boundary for every role or none, and no dashboard',
    (context, qualifier, boundaries) => {
      const { stack, template } = synthesise({ context });
      const found = someOf(template, 'AWS::IAM::Role').map(([, role]) => JSON.stringify(role['PermissionsBoundary']));

      expect(stack.synthesizer.bootstrapQualifier).toBe(qualifier);
      expect(new Set(found)).toEqual(new Set(boundaries));
      expect(template.findOutputs('DashboardName')).toEqual({});
      expect(template.findResources('AWS::CloudWatch::Dashboard')).toEqual({});
    },
  );
});
