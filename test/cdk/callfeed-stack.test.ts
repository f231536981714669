import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { StackOutputs } from '../../cli/connection/connect.ts';
import manifest from '../../package.json' with { type: 'json' };
import { sentinelSecret, switchedOn } from './support/configurations.ts';
import { nameOf, propertiesOf, someOf, synthesise } from './support/template.ts';

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

/** Never change an id here: rename the construct back instead. */
const logicalIds: readonly (readonly [type: string, why: string, ids: readonly string[]])[] = [
  [
    'AWS::DynamoDB::GlobalTable',
    'a new table would be empty, and the old one abandoned',
    ['CallfeedCalls7DD654B3', 'CallfeedAgentsAEE782A1', 'CallfeedQuarantine718B9FAB'],
  ],
  [
    'AWS::SQS::Queue',
    'a new queue would be empty, and nothing would process the old one',
    [
      ...['CallfeedParkingDeadLettersFAFFA6AA', 'CallfeedParkingQueue631E1846'],
      'CallfeedPollAgentsTicksAA886AED',
      'CallfeedReconcileCallsQueue6FDA9131',
      ...['CallfeedForwardDeliveriesDeadLetters034C6833', 'CallfeedForwardDeliveriesQueue91CA74BA'],
      ...['CallfeedArchiveRecordingsDeadLettersF27DB7F4', 'CallfeedArchiveRecordingsQueue06531494'],
      'CallfeedAnalyticsUndeliveredC45DD0DF',
    ],
  ],
  [
    'AWS::S3::Bucket',
    'a new bucket would be empty: failed changes and recordings would be overlooked, and questions answered without history',
    [
      'CallfeedPublishChangesUnpublished8A326151',
      'CallfeedArchiveRecordingsBucketB5962524',
      'CallfeedAnalyticsLake7DF2FEA1',
    ],
  ],
  [
    'AWS::SecretsManager::Secret',
    'a new secret would hold the placeholder, and every callback would be rejected',
    ['CallfeedAccounts1AA83BE2'],
  ],
  ['AWS::Events::EventBus', 'subscribers have rules on this bus, and a new one has none', ['CallfeedBus8482B2DA']],
  ['AWS::Events::Archive', 'a new archive would have no events', ['CallfeedArchive16C14295']],
  [
    'AWS::ApiGatewayV2::Api',
    'the telephony service posts to this API, and a new one has another address',
    ['CallfeedApiHttpApi112221FC'],
  ],
  ['AWS::ApiGatewayV2::Stage', 'the API cannot have two stages of the same name', ['CallfeedApiStageF69A0E66']],
  [
    'AWS::Lambda::EventSourceMapping',
    'a new mapping is created before the old one is deleted, and Lambda rejects a second one for a queue',
    [
      'CallfeedRecoverCallbacksServiceFunctionSqsEventSourcecallfeedprodCallfeedParkingQueueAE708BB93A7CCC2D',
      'CallfeedPublishChangesServiceFunctionCallsEB46DE73',
      'CallfeedPublishChangesServiceFunctionAgents0C9E116E',
      'CallfeedPollAgentsServiceFunctionSqsEventSourcecallfeedprodCallfeedPollAgentsTicksF6A22D3C6C397563',
      'CallfeedReconcileCallsServiceFunctionSqsEventSourcecallfeedprodCallfeedReconcileCallsQueue6F766ED845D8E3EC',
      'CallfeedForwardDeliveriesServiceFunctionCalls62FF62C0',
      'CallfeedForwardDeliveriesServiceFunctionSqsEventSourcecallfeedprodCallfeedForwardDeliveriesQueueA638C4A117A602BC',
      'CallfeedArchiveRecordingsServiceFunctionSqsEventSourcecallfeedprodCallfeedArchiveRecordingsQueue9A9A447B6244FFFF',
    ],
  ],
  ['AWS::SNS::Topic', 'people subscribed to this topic, and to no new one', ['CallfeedMonitoringTopicEB91C363']],
  ['AWS::EventSchemas::Registry', 'editors read the registry by its name', ['CallfeedSchemasRegistryEE4E1D4D']],
];

describe('logical ids', () => {
  const { template } = synthesise({ context: switchedOn });

  it.each(logicalIds)('of %s stay: %s', (type, _why, ids) => {
    expect(Object.keys(propertiesOf(template, type))).toEqual(ids);
  });
});
