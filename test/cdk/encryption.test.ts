import { describe, expect, it } from 'vitest';
import { configurations, kmsKeyArn } from './configurations.ts';
import { plain, someOf } from './resources.ts';
import { synthesise } from './synthesise.ts';

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
