import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { StackOutputs } from '../../cli/connection/stack-outputs.ts';
import { sentinelSecret } from './configurations.ts';
import { nameOf } from './resources.ts';
import { synthesise } from './synthesise.ts';

const { template, warnings, outdir, stack } = synthesise({
  context: { stage: 'test', callbackSecret: sentinelSecret },
});

describe('the stack', () => {
  it('is named and tagged for its stage, and says nothing worrying', () => {
    expect(stack.stackName).toBe('callfeed-test');
    expect(stack.tags.tagValues()).toEqual({ application: 'callfeed', stage: 'test' });
    expect(warnings).toEqual([]);
  });

  it('tells what an operator and a subscriber need', () => {
    const outputs = Object.entries(template.findOutputs('*')).map(([id, { Value }]) => [id, nameOf(Value)]);

    expect(Object.fromEntries(outputs)).toEqual({
      CallbackUrl: 'ApiHttpApi.ApiEndpoint',
      BusName: 'Bus.Ref',
      BusArn: 'Bus.Arn',
      CallsTableName: 'Calls.Ref',
      AgentsTableName: 'Agents.Ref',
      QuarantineTableName: 'Quarantine.Ref',
      AccountsSecretArn: 'Accounts.Ref',
      TimeZone: 'Asia/Kolkata',
      CallRetentionDays: '730',
      QuarantineRetentionDays: '30',
      EventArchiveArn: 'Archive.Arn',
      ParkingQueueUrl: 'ParkingQueue.Ref',
      ParkingDeadLettersUrl: 'ParkingDeadLetters.Ref',
      PublisherName: 'PublishChangesServiceFunction.Ref',
      UnpublishedBucketName: 'PublishChangesUnpublished.Ref',
      TickQueueUrl: 'PollAgentsTicks.Ref',
      AlarmTopicArn: 'MonitoringTopic.Ref',
      DashboardName: 'MonitoringDashboard.Ref',
    });
  });

  it('has every output by which the command line finds a deployment', () => {
    expect(Object.keys(template.findOutputs('*'))).toEqual(expect.arrayContaining(Object.keys(StackOutputs.shape)));
  });

  it('says of each output what it is for', () => {
    for (const { Description } of Object.values(template.findOutputs('*')))
      expect(Description).toMatch(/^[A-Z].{10,}\.$/);
  });

  it('has the callback secret in no file of the synthesis, only its hash', () => {
    const files = readdirSync(outdir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const synthesised = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');

    expect(synthesised).toContain(createHash('sha256').update(sentinelSecret).digest('hex'));
    expect(synthesised).not.toContain('SENTINEL');
  });

  it('follows every recommendation of the installed CDK', () => {
    expect(cdkJson.context).toMatchObject(recommendedFlags);
  });
});

it('is deployed by the bootstrap stack that it is told, or by the common one', () => {
  const rolesOf = (context: Readonly<Record<string, string>>) =>
    JSON.stringify(synthesise({ context }).stack.synthesizer.bootstrapQualifier);

  expect([rolesOf({}), rolesOf({ bootstrapQualifier: 'callfeed' })]).toEqual(['"hnb659fds"', '"callfeed"']);
});
