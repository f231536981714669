import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import { agentsTable, callsTable, type Index, type Key, quarantineTable } from '../../../lib/storage/tables.ts';
import { only, someOf, synthesise } from '../support/template.ts';

const { template } = synthesise();

const keySchema = ({ partition, sort }: Key) => [
  { AttributeName: partition, KeyType: 'HASH' },
  ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' }]),
];

const indexSchema = ({ name, key, projection }: Index) => ({
  IndexName: name,
  KeySchema: keySchema(key),
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...projection] },
});

describe.each([
  ['Calls', callsTable],
  ['Agents', agentsTable],
  ['Quarantine', quarantineTable],
])('the table %s', (name, declared) => {
  it('has the keys, indexes and stream of the contract, lets rows expire, is on-demand, and named by CloudFormation', () => {
    const table = only(template, 'AWS::DynamoDB::GlobalTable', name);
    const types = table['AttributeDefinitions'].map((attribute: object) => Object.values(attribute).at(-1));

    expect({ GlobalSecondaryIndexes: [], ...table }).toMatchObject({
      KeySchema: keySchema(declared.key),
      GlobalSecondaryIndexes: declared.indexes.map(indexSchema),
      TimeToLiveSpecification: { AttributeName: declared.timeToLive, Enabled: true },
      BillingMode: 'PAY_PER_REQUEST',
    });
    expect(new Set(types)).toEqual(new Set(['S']));
    expect(table['StreamSpecification']).toEqual(
      declared.published.length > 0 ? { StreamViewType: 'NEW_AND_OLD_IMAGES' } : undefined,
    );
    expect(table).not.toHaveProperty('TableName');
  });
});

it.each([
  [179, 'STANDARD'],
  [180, 'STANDARD_INFREQUENT_ACCESS'],
])(
  'with %i days of retention the Calls table is %s, and the others have the usual class',
  (callRetentionDays, tableClass) => {
    const { template: retained } = synthesise({ context: { callRetentionDays } });
    const classOf = (name: string) => only(retained, 'AWS::DynamoDB::GlobalTable', name)['Replicas'][0].TableClass;

    expect([classOf('Calls'), classOf('Agents'), classOf('Quarantine')]).toEqual([tableClass, undefined, undefined]);
  },
);

// CloudFormation would overwrite the accounts with a new text.
it('the accounts secret begins with a placeholder that is no JSON, and keeps its wording', () => {
  const secret = only(template, 'AWS::SecretsManager::Secret', 'Accounts');

  expect([secret['SecretString'], accountsPlaceholder]).toEqual(
    Array(2).fill('REPLACE THIS TEXT WITH THE JSON LIST OF ACCOUNTS'),
  );
  expect(secret).not.toHaveProperty('GenerateSecretString');
});

/**
 * Resource types with data, how many there are, and their deletion policy. Ticks are no data, as they are worthless after a
 * minute. CloudFormation could not delete a protected table after a failed first deployment.
 */
const withData = [
  ['AWS::DynamoDB::GlobalTable', 3, 'Retain'],
  ['AWS::SQS::Queue', 2, 'RetainExceptOnCreate'],
  ['AWS::S3::Bucket', 1, 'RetainExceptOnCreate'],
  ['AWS::SecretsManager::Secret', 1, 'RetainExceptOnCreate'],
] as const;

const policiesOf = (template: Template, type: string) =>
  Object.entries(template.findResources(type))
    .filter(([id]) => !id.includes('Ticks'))
    .map(([, { DeletionPolicy, UpdateReplacePolicy }]) => [DeletionPolicy, UpdateReplacePolicy]);

const replicasOf = (template: Template) =>
  someOf(template, 'AWS::DynamoDB::GlobalTable').flatMap(([, { Replicas }]) => Replicas);

describe.each([
  ['test', { stage: 'test' }, true],
  ['prod with dataProtection=off', { dataProtection: 'off' }, false],
])('%s', (_stage, context, isProtected) => {
  const { template, stack } = synthesise({ context });

  it.each(withData)(`${isProtected ? 'keeps %s without' : 'deletes %s with'} the stack`, (type, count, deletion) => {
    const policies = isProtected ? [deletion, 'Retain'] : ['Delete', 'Delete'];

    expect(policiesOf(template, type)).toEqual(Array(count).fill(policies));
  });

  // CloudFormation passes no tags of a stack to a table.
  it('protects its tables and its stack from deletion or not, tags its tables, and recovers them to a point in time', () => {
    const expected = {
      DeletionProtectionEnabled: isProtected,
      Tags: Object.entries(stack.tags.tagValues()).map(([Key, Value]) => ({ Key, Value })),
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    };

    expect(replicasOf(template)).toMatchObject(Array(3).fill(expected));
    expect(stack.terminationProtection).toBe(isProtected);
  });

  it.each([
    ['AWS::Events::EventBus', 'because the next deployment needs its name'],
    ['AWS::Events::Archive', 'because it can only replay to that bus'],
  ])('deletes %s with the stack, %s', (type) => {
    expect(policiesOf(template, type)).toEqual([['Delete', 'Delete']]);
  });

  it('deletes logs and ticks with the stack', () => {
    for (const [id, { DeletionPolicy }] of Object.entries({
      ...template.findResources('AWS::Logs::LogGroup'),
      ...template.findResources('AWS::SQS::Queue'),
    }))
      if (/Logs|AccessLog|Ticks/.test(id)) expect(DeletionPolicy).toBe('Delete');
  });
});
