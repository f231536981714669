import { readFile } from 'node:fs/promises';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { describe, expect, it } from 'vitest';
import { Callfeed } from '../../../cdk/callfeed.ts';
import { appFor, configurations, kmsKeyArn, synthesise } from '../support/synthesise.ts';
import {
  nameOf,
  only,
  permissionsIn,
  plain,
  propertiesOf,
  type Statement,
  someOf,
  statementsOf,
} from '../support/template.ts';

describe('encryption key', () => {
  const app = appFor();

  const withKey = (id: string, keyIn: (stack: Stack) => IKey) => {
    const stack = new Stack(app, id);
    new Callfeed(stack, 'Callfeed', { encryptionKey: keyIn(stack) });
    return stack;
  };

  const shared = new Stack(app, 'Shared');
  const sharedKey = new Key(shared, 'SharedKey');
  const stacks = {
    own: withKey('Own', (stack) => new Key(stack, 'OwnKey')),
    imported: withKey('Imported', (stack) => Key.fromKeyArn(stack, 'Key', kmsKeyArn)),
    elsewhere: withKey('Uses', () => sharedKey),
  };
  const templates = { own: Template.fromStack(stacks.own), imported: Template.fromStack(stacks.imported) };

  /** By service: what the policy of a key lets it do, and under which condition. */
  const servicesIn = (template: Template): Readonly<Record<string, Statement>> => {
    const [[, { KeyPolicy }] = ['', { KeyPolicy: undefined }]] = someOf(template, 'AWS::KMS::Key');
    const statements = statementsOf({ PolicyDocument: KeyPolicy });

    return Object.fromEntries(
      statements.flatMap((statement) => {
        const { Service } = Object(statement.Principal);
        return Service === undefined ? [] : [[nameOf(Service), statement]];
      }),
    );
  };

  const ofThisAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };

  describe('a key of the same app', () => {
    const services = servicesIn(templates.own);

    it('lets the services use it that act on nobody’s behalf', () => {
      expect(Object.keys(services).toSorted()).toEqual([
        'cloudwatch.amazonaws.com',
        'events.amazonaws.com',
        'logs.AWS::Region.Ref.amazonaws.com',
      ]);
    });

    it('has the statements that the documentation gives to whoever has a key already', async () => {
      const [, json = ''] =
        /for an existing key:\n+```json\n(.+?)```/s.exec(await readFile('docs/deploying.md', 'utf8')) ?? [];
      const documented = JSON.parse(json).map(({ Principal, Action }: Statement) => [
        Object(Principal).Service,
        Action,
      ]);
      const service = (name: string) => name.replace('AWS::Region.Ref', 'eu-west-1');

      expect(documented).toEqual(Object.entries(services).map(([name, { Action }]) => [service(name), Action]));
    });

    it('lets EventBridge use it for this account, and CloudWatch for its logs', () => {
      expect(services['events.amazonaws.com']?.Condition).toEqual(ofThisAccount);
      expect(nameOf(Object(services['logs.AWS::Region.Ref.amazonaws.com']?.Condition).ArnLike[context])).toBe(
        'arn:AWS::Partition.Ref:logs:AWS::Region.Ref:AWS::AccountId.Ref:log-group:*',
      );
    });

    const context = 'kms:EncryptionContext:aws:logs:arn';

    it('encrypts the tables, which name it', () => {
      for (const [, { Replicas }] of someOf(templates.own, 'AWS::DynamoDB::GlobalTable'))
        expect(nameOf(Replicas[0].SSESpecification.KMSMasterKeyId)).toBe('OwnKey.Arn');
    });

    it('of another stack has the same policy there, which names no resource of the stack that uses it', () => {
      expect(servicesIn(Template.fromStack(shared))).toEqual(services);
      expect(shared.dependencies.map(({ stackName }) => stackName)).toEqual([]);
      expect(JSON.stringify(someOf(Template.fromStack(stacks.elsewhere), 'AWS::SQS::Queue'))).toContain('SharedKey');
    });
  });

  describe('a key from elsewhere', () => {
    it('is no resource of the stack: its owner writes its policy', () => {
      expect(propertiesOf(templates.imported, 'AWS::KMS::Key')).toEqual({});
    });
  });

  describe.each([
    ['of the same app', templates.own, 'OwnKey.Arn'],
    ['from elsewhere', templates.imported, kmsKeyArn],
  ])('a key %s', (_where, template, key) => {
    it.each(['ReceiveCallback', 'RecoverCallbacks', 'PublishChanges', 'PollAgents'])('may be used by %s', (name) => {
      expect(permissionsIn(only(template, 'AWS::IAM::Policy', `${name}ServiceRole`))).toEqual(
        expect.arrayContaining([
          `kms:Decrypt on ${key}`,
          `kms:DescribeKey on ${key}`,
          `kms:Encrypt on ${key}`,
          `kms:GenerateDataKey on ${key}`,
        ]),
      );
    });

    it('is used by no function but through a service that encrypts for it', () => {
      const policies = someOf(template, 'AWS::IAM::Policy').flatMap(([, policy]) => statementsOf(policy));
      const onKey = policies.filter(({ Action }) =>
        [Action].flat().some((action) => String(action).startsWith('kms:')),
      );

      expect(onKey).toHaveLength(5);
      for (const { Condition } of onKey)
        expect(JSON.stringify(Condition)).toMatch(/^\{"StringEquals":\{"kms:ViaService":.*(dynamodb|sqs)\./);
    });

    it('may be used by the schedule, which fills an encrypted queue', () => {
      const rights = permissionsIn(only(template, 'AWS::IAM::Policy', 'PollAgentsEveryMinuteRole'));

      expect(rights.filter((right) => right.startsWith('kms:'))).toEqual([
        `kms:Decrypt on ${key}`,
        `kms:GenerateDataKey on ${key}`,
      ]);
    });
  });
});

describe('encryption', () => {
  const own = synthesise().template;
  const keyed = synthesise({ context: configurations.everything }).template;

  const withoutKey: Readonly<Record<string, readonly [string, object]>> = {
    'AWS::DynamoDB::GlobalTable': ['DynamoDB encrypts with a key of its own, unless told', {}],
    'AWS::SQS::Queue': ['with SQS’s key', { SqsManagedSseEnabled: true }],
    'AWS::S3::Bucket': [
      'with S3’s key',
      {
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
      },
    ],
    'AWS::SecretsManager::Secret': ['Secrets Manager encrypts with the account’s key for it, unless told', {}],
    'AWS::Events::EventBus': ['EventBridge encrypts with a key of its own, unless told', {}],
    'AWS::Events::Archive': ['the same', {}],
    'AWS::Logs::LogGroup': ['CloudWatch encrypts with a key of its own, unless told', {}],
    'AWS::Lambda::Function': ['Lambda encrypts with a key of its own, unless told', {}],
  };

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
  };

  /** Hold nothing that anybody sent: policies, routes, patterns of ours, names. */
  const withoutData = [
    /^AWS::IAM::/,
    /Policy$/,
    /^AWS::ApiGatewayV2::/,
    /^AWS::CloudWatch::/,
    /^AWS::EventSchemas::/,
    'AWS::Lambda::EventSourceMapping',
    'AWS::Lambda::Permission',
    'AWS::Logs::MetricFilter',
    'AWS::Logs::QueryDefinition',
    'AWS::Scheduler::Schedule',
    'AWS::SNS::Subscription',
  ];

  describe('without a key of the customer’s', () => {
    it.each(Object.entries(withoutKey))('every %s is encrypted: %s', (type, [, properties]) => {
      for (const [, resource] of someOf(own, type)) expect(resource).toMatchObject(properties);
    });

    it.each(Object.keys(withKey))('no %s names a key that is not there', (type) => {
      // CDK writes an empty one for an archive, which means EventBridge's own.
      const text = JSON.stringify(someOf(own, type)).replace('"KmsKeyIdentifier":""', '');

      expect(text).not.toMatch(/arn:aws:kms|KmsKey|KMSMaster|KmsMaster/);
    });
  });

  describe('with a key of the customer’s', () => {
    const cases = Object.entries(withKey).flatMap(([type, properties]) =>
      someOf(keyed, type).map(([id, resource]) => [type, plain(id), resource, properties] as const),
    );

    it.each(cases)('%s %s is encrypted with it', (_type, _id, resource, properties) => {
      expect(resource).toMatchObject(properties);
    });

    it('nothing else could hold data', () => {
      const types = Object.values<{ readonly Type: string }>(keyed.toJSON()['Resources']).map(({ Type }) => Type);
      const hasNone = (type: string) =>
        withoutData.some((none) => (typeof none === 'string' ? none === type : none.test(type)));

      expect([...new Set(types)].filter((type) => !hasNone(type)).toSorted()).toEqual(Object.keys(withKey).toSorted());
    });
  });
});
