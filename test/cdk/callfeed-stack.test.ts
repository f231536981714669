import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { nameOf, only, propertiesOf } from './resources.ts';
import { synthesise } from './synthesise.ts';

const callbackSecret = 'SENTINEL-0123456789-abcdef';
const { template, warnings, outdir, stackName } = synthesise({
  context: {
    stage: 'test',
    callRetentionDays: '90',
    quarantineRetentionDays: '7',
    snapshotRetentionDays: '14',
    intervalRetentionDays: '365',
    callbackSecret,
  },
});

const stateful = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::Events::EventBus',
  'AWS::SecretsManager::Secret',
  'AWS::SQS::Queue',
];

/** Ticks are no data: they are worth nothing after a minute. */
const idsOf = (type: string) => Object.keys(propertiesOf(template, type)).filter((id) => !id.includes('Ticks'));

const environmentOf = (name: string): Record<string, string> => {
  const { Variables } = only(template, 'AWS::Lambda::Function', name)['Environment'];

  return Object.fromEntries(Object.entries(Variables).map(([variable, value]) => [variable, nameOf(value)]));
};

describe('the stack', () => {
  it('is named for its stage and says nothing worrying', () => {
    expect(stackName).toBe('callfeed-test');
    expect(warnings).toEqual([]);
  });

  it('keeps the logical ids of what holds data: a new one would start empty', () => {
    expect(stateful.flatMap(idsOf)).toMatchInlineSnapshot(`
      [
        "CallfeedCalls7DD654B3",
        "CallfeedAgentsAEE782A1",
        "CallfeedQuarantine718B9FAB",
        "CallfeedBus8482B2DA",
        "CallfeedAccounts1AA83BE2",
        "CallfeedParkingDeadLettersFAFFA6AA",
        "CallfeedParkingQueue631E1846",
        "CallfeedPublishChangesDeadLettersA25B66E5",
      ]
    `);
  });

  it('leaves tables, parked callbacks and accounts behind when it is deleted', () => {
    for (const type of stateful.filter((each) => each !== 'AWS::Events::EventBus')) {
      const resources = template.findResources(type);
      for (const id of idsOf(type))
        expect(resources[id]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });

  it('tells what an operator and a subscriber need', () => {
    const outputs = Object.entries(template.findOutputs('*')).map(([id, { Value }]) => [id, JSON.stringify(Value)]);

    expect(Object.fromEntries(outputs)).toEqual({
      CallbackUrl: expect.stringMatching(/^\{"Fn::GetAtt":\["CallfeedApiHttpApi\w+","ApiEndpoint"\]\}$/),
      BusName: expect.stringContaining('"Ref":"CallfeedBus'),
      BusArn: expect.stringContaining('CallfeedBus'),
      CallsTableName: expect.stringContaining('"Ref":"CallfeedCalls'),
      AgentsTableName: expect.stringContaining('"Ref":"CallfeedAgents'),
      QuarantineTableName: expect.stringContaining('"Ref":"CallfeedQuarantine'),
      AccountsSecretArn: expect.stringContaining('"Ref":"CallfeedAccounts'),
    });
  });

  it('has the callback secret in no file of the synthesis, only its hash', () => {
    const files = readdirSync(outdir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const synthesised = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');

    expect(synthesised).toContain(createHash('sha256').update(callbackSecret).digest('hex'));
    expect(synthesised).not.toContain('SENTINEL');
  });

  it('follows every recommendation of the installed CDK', () => {
    expect(cdkJson.context).toMatchObject(recommendedFlags);
  });
});

describe('the environment of', () => {
  const store = {
    CALLS_TABLE: 'Calls.Ref',
    QUARANTINE_TABLE: 'Quarantine.Ref',
    CALL_RETENTION_DAYS: '90',
    QUARANTINE_RETENTION_DAYS: '7',
  };

  it('receive-callback names what it writes to and how it knows a sender', () => {
    expect(environmentOf('ReceiveCallback')).toEqual({
      ...store,
      PARKING_QUEUE_URL: 'ParkingQueue.Ref',
      ACCOUNTS_SECRET_ARN: 'Accounts.Ref',
      CALLBACK_SECRET_SHA256: createHash('sha256').update(callbackSecret).digest('hex'),
    });
  });

  it('recover-callbacks names what it writes to', () => {
    expect(environmentOf('RecoverCallbacks')).toEqual(store);
  });

  it('poll-agents names what it writes to, for how long, and whom it polls', () => {
    expect(environmentOf('PollAgents')).toEqual({
      AGENTS_TABLE: 'Agents.Ref',
      SNAPSHOT_RETENTION_DAYS: '14',
      INTERVAL_RETENTION_DAYS: '365',
      ACCOUNTS_SECRET_ARN: 'Accounts.Ref',
    });
  });

  it('publish-changes names the bus', () => {
    expect(environmentOf('PublishChanges')).toEqual({ BUS_NAME: 'Bus.Ref' });
  });
});

describe('every function', () => {
  it.each([
    ['ReceiveCallback', 10],
    ['RecoverCallbacks', 60],
    ['PublishChanges', 60],
    ['PollAgents', 13],
  ])('%s runs on Node 24 and arm64 for at most %i s, with a log that is kept for a month', (name, timeoutSeconds) => {
    expect(only(template, 'AWS::Lambda::Function', name)).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      Timeout: timeoutSeconds,
      MemorySize: 512,
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.stringContaining(`${name}ServiceLogs`) } },
    });
    expect(only(template, 'AWS::Logs::LogGroup', name)['RetentionInDays']).toBe(30);
  });
});
