import { readFile } from 'node:fs/promises';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { describe, expect, it } from 'vitest';
import { Callfeed } from '../../../cdk/callfeed.ts';
import { configurations, kmsKeyArn } from '../support/configurations.ts';
import { busContext, deployed, isAllowed } from '../support/simulate.ts';
import { appFor, plain, type Statement, someOf, statementsOf, synthesise } from '../support/template.ts';

const env = { account: '111122223333', region: 'eu-west-1' };

/** The statements of the only key's policy, but for the one that lets its account manage it. */
const statementsFor = (template: Template): readonly Statement[] => {
  const [[, { KeyPolicy }] = ['', { KeyPolicy: undefined }]] = someOf(template, 'AWS::KMS::Key');

  return statementsOf({ PolicyDocument: deployed(template, env, KeyPolicy) }).filter(
    ({ Action }) => Action !== 'kms:*',
  );
};

/** Whether a part of a template refers to a resource, by the beginning of its logical id. */
const mentions = (part: unknown, id: string): boolean => JSON.stringify(part ?? '').includes(`"${id}`);

describe('a key of the same app', () => {
  const app = appFor();
  const stack = new Stack(app, 'Own');
  const accounts = { subscriberAccounts: ['444455556666'], readerAccounts: ['777788889999'] };
  new Callfeed(stack, 'Callfeed', {
    encryptionKey: new Key(stack, 'OwnKey'),
    ...accounts,
    reconciliation: 'daily',
    forwarding: 'on',
    recordings: 'archive',
    recordingHosts: ['recordings.example.com'],
    analytics: 'on',
  });

  const shared = new Stack(app, 'Shared');
  const using = new Stack(app, 'Uses');
  new Callfeed(using, 'Callfeed', { encryptionKey: new Key(shared, 'SharedKey'), ...accounts });

  const template = Template.fromStack(stack);
  const statements = statementsFor(template);

  it('gets the policy statements that docs/deploying.md gives for an existing key', async () => {
    const [, json = ''] =
      /for an existing key:\n+```json\n(.+?)```/s.exec(await readFile('docs/deploying.md', 'utf8')) ?? [];
    expect(JSON.parse(json)).toEqual(statements);
    expect(statements).toHaveLength(6);
  });

  const busArn = 'arn:aws:events:eu-west-1:111122223333:event-bus/callfeed';
  const subscriber = 'arn:aws:iam::444455556666:role/deploys';
  const context = (arn: string) => ({ [busContext]: arn });

  it.each([
    // AWS documents no aws:SourceAccount for archives.
    ['EventBridge use it for the bus and its archive', 'events.amazonaws.com', context(busArn), true],
    ['EventBridge use it for other accounts', 'events.amazonaws.com', context(busArn.replace('1111', '9999')), false],
    ['EventBridge use it for anything else', 'events.amazonaws.com', {}, false],
    ['CloudWatch use it for alarms', 'cloudwatch.amazonaws.com', { 'aws:SourceAccount': env.account }, true],
    ['CloudWatch use it for others', 'cloudwatch.amazonaws.com', { 'aws:SourceAccount': '999922223333' }, false],
    ['subscribers make rules on the bus', subscriber, context(busArn), true],
    ['subscribers decrypt rows', subscriber, { 'kms:ViaService': 'dynamodb.eu-west-1.amazonaws.com' }, false],
  ])('lets or does not let %s', async (_what, principal, given, allowed) => {
    const Statement = [{ Effect: 'Allow', Action: 'kms:Decrypt', Resource: '*' }];
    const identity = { identityPolicy: { Version: '2012-10-17', Statement } };
    const resource = 'arn:aws:kms:eu-west-1:111122223333:key/own';
    const resourcePolicy = { Version: '2012-10-17', Statement: statements };

    expect(
      await isAllowed({
        principal,
        action: 'kms:Decrypt',
        resource,
        resourcePolicy,
        context: given,
        ...(principal === subscriber && identity),
      }),
    ).toBe(allowed);
  });

  it('of another stack gets the same policy there, without a reference to the stack that uses it', () => {
    expect(statementsFor(Template.fromStack(shared))).toEqual(statements);
    expect(shared.dependencies.map(({ stackName }) => stackName)).toEqual([]);
    expect(JSON.stringify(someOf(Template.fromStack(using), 'AWS::SQS::Queue'))).toContain('SharedKey');
  });

  const encrypting = ['dynamodb', 'lambda', 's3', 'secretsmanager', 'sqs'] as const;
  const { Resources } = template.toJSON();
  const keyed = new Set(Object.keys(Resources).filter((id) => mentions(Resources[id].Properties, 'OwnKey')));
  /** The services through which a role gets at something that is encrypted with the key. */
  const neededBy = (role: string): readonly string[] => {
    const statements = someOf(template, 'AWS::IAM::Policy')
      .filter(([, { Roles }]) => mentions(Roles, role))
      .flatMap(([, policy]) => statementsOf(policy));
    const services = statements
      .filter(({ Resource }) => [...keyed].some((id) => mentions(Resource, id)))
      .flatMap(({ Action }) => [Action].flat().map((action) => action.split(':')[0]));
    const isOfFunction = someOf(template, 'AWS::Lambda::Function').some(([, { Role }]) => mentions(Role, role));
    // EventBridge and Firehose use the key by themselves. Of a function also the environment is encrypted.
    return encrypting.filter((service) =>
      service === 'lambda' ? isOfFunction : services.some((used) => used === service),
    );
  };

  it.each(someOf(template, 'AWS::IAM::Role').map(([id]) => id))(
    'may be used by %s through the services of what it may use, in this region, and through no other',
    async (role) => {
      const [, { PolicyDocument } = { PolicyDocument: undefined }] =
        someOf(template, 'AWS::IAM::Policy').find(([, { Roles }]) => mentions(Roles, role)) ?? [];
      const identityPolicy = deployed(template, env, PolicyDocument);
      const [[id, { KeyPolicy }] = ['', { KeyPolicy: undefined }]] = someOf(template, 'AWS::KMS::Key');
      const request = {
        principal: `arn:aws:iam::${env.account}:role/${role}`,
        resource: `arn:aws:kms:${env.region}:${env.account}:key/${id}`,
        identityPolicy,
        resourcePolicy: deployed(template, env, KeyPolicy),
      };
      const places = encrypting.flatMap((service) => [`${service}.eu-west-1`, `${service}.us-east-1`]);
      const allowed = async (action: string) => {
        const isIt = places.map((place) =>
          isAllowed({ ...request, action, context: { 'kms:ViaService': `${place}.amazonaws.com` } }),
        );
        const results = await Promise.all(isIt);
        return places.filter((_, index) => results[index]);
      };

      const expected = neededBy(role).map((service) => `${service}.eu-west-1`);
      expect(await allowed('kms:Decrypt')).toEqual(expected);
      expect(await allowed('kms:GenerateDataKey')).toEqual(expected);
      expect(await isAllowed({ ...request, action: 'kms:Decrypt' })).toBe(false);
    },
  );

  it('is used by roles of every kind: of functions, schedules and streams', () => {
    const roles = someOf(template, 'AWS::IAM::Role').map(([id]) => neededBy(id).join());

    expect(new Set(roles)).toEqual(
      new Set([
        ...['dynamodb,lambda,secretsmanager,sqs', 'dynamodb,lambda,sqs', 'dynamodb,lambda,s3', 'lambda'],
        ...['sqs', 's3', ''],
      ]),
    );
  });
});

describe('encryption', () => {
  const own = synthesise().template;
  const keyed = synthesise({ context: configurations.everything }).template;

  const withKey: Readonly<Record<string, object>> = {
    'AWS::DynamoDB::GlobalTable': {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [{ SSESpecification: { KMSMasterKeyId: kmsKeyArn } }],
    },
    'AWS::SQS::Queue': { KmsMasterKeyId: kmsKeyArn },
    'AWS::S3::Bucket': {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          {
            ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: kmsKeyArn },
            BucketKeyEnabled: true,
          },
        ],
      },
    },
    'AWS::SecretsManager::Secret': { KmsKeyId: kmsKeyArn },
    'AWS::Events::EventBus': { KmsKeyIdentifier: kmsKeyArn },
    'AWS::Events::Archive': { KmsKeyIdentifier: kmsKeyArn },
    'AWS::Logs::LogGroup': { KmsKeyId: kmsKeyArn },
    'AWS::SNS::Topic': { KmsMasterKeyId: kmsKeyArn },
    'AWS::Lambda::Function': { KmsKeyArn: kmsKeyArn },
    'AWS::KinesisFirehose::DeliveryStream': {
      DeliveryStreamEncryptionConfigurationInput: { KeyType: 'CUSTOMER_MANAGED_CMK', KeyARN: kmsKeyArn },
      ExtendedS3DestinationConfiguration: {
        EncryptionConfiguration: { KMSEncryptionConfig: { AWSKMSKeyARN: kmsKeyArn } },
      },
    },
    'AWS::Athena::WorkGroup': {
      WorkGroupConfiguration: {
        ResultConfiguration: { EncryptionConfiguration: { EncryptionOption: 'SSE_KMS', KmsKey: kmsKeyArn } },
      },
    },
  };

  /** Types that hold no data that anybody sent: policies, routes, patterns, names. */
  const withoutData = [
    /^AWS::IAM::/,
    /Policy$/,
    /^AWS::ApiGatewayV2::/,
    /^AWS::CloudWatch::/,
    /^AWS::EventSchemas::/,
    'AWS::Events::Rule',
    'AWS::Lambda::EventSourceMapping',
    'AWS::Lambda::Permission',
    'AWS::Logs::MetricFilter',
    'AWS::Logs::QueryDefinition',
    'AWS::Scheduler::Schedule',
    // Names and meanings of columns.
    /^AWS::Glue::/,
    /^AWS::LakeFormation::/,
    'AWS::Athena::NamedQuery',
    'AWS::SNS::Subscription',
    // Only names of resources.
    'AWS::SSM::Parameter',
  ];
  /**
   * With the same key, the dead letters would fail together with the bus; the events in them are still encrypted. Messages about
   * recordings are an account's name and a call's id, and the bus may send to their queues without a word of the key's owner.
   */
  const otherwise = /^(ArchiveRecordings(DeadLetters|Queue)|AnalyticsUndelivered|BusDeadLetters)$/;

  it('uses keys of SQS and S3 where the customer has given none, and no resource names a key', () => {
    // CDK writes an empty KmsKeyIdentifier for an archive, which means EventBridge's own key.
    const text = JSON.stringify(own.toJSON()['Resources']).replace('"KmsKeyIdentifier":""', '');

    for (const [, queue] of someOf(own, 'AWS::SQS::Queue')) expect(queue['SqsManagedSseEnabled']).toBe(true);
    for (const [, bucket] of someOf(own, 'AWS::S3::Bucket'))
      expect(JSON.stringify(bucket['BucketEncryption'])).toContain('{"SSEAlgorithm":"AES256"}');
    expect(text).not.toMatch(/arn:aws:kms|KmsKey|KMSMaster|KmsMaster/);
  });

  describe('with a key of the customer’s', () => {
    const cases = Object.entries(withKey).flatMap(([type, properties]) =>
      someOf(keyed, type).map(([id, resource]) => [type, plain(id), resource, properties] as const),
    );

    it.each(cases)('%s %s is encrypted with it, or with SQS’s own', (_type, id, resource, properties) => {
      expect(resource).toMatchObject(otherwise.test(id) ? { SqsManagedSseEnabled: true } : properties);
    });

    it('no other resource could hold data', () => {
      const types = Object.values<{ readonly Type: string }>(keyed.toJSON()['Resources']).map(({ Type }) => Type);
      const hasNone = (type: string) =>
        withoutData.some((none) => (typeof none === 'string' ? none === type : none.test(type)));

      expect([...new Set(types)].filter((type) => !hasNone(type)).toSorted()).toEqual(Object.keys(withKey).toSorted());
    });
  });
});
