import { describe, expect, it } from 'vitest';
import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import { agentsTable, callsTable, type Index, type Key, quarantineTable } from '../../../lib/storage/tables.ts';
import { synthesise } from '../support/synthesise.ts';
import { only } from '../support/template.ts';

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
  const table = only(template, 'AWS::DynamoDB::GlobalTable', name);

  it('has the keys and indexes of the contract, all of type text', () => {
    expect(table['KeySchema']).toEqual(keySchema(declared.key));
    expect(table['GlobalSecondaryIndexes'] ?? []).toEqual(declared.indexes.map(indexSchema));
    expect(new Set(table['AttributeDefinitions'].map((attribute: object) => Object.values(attribute).at(-1)))).toEqual(
      new Set(['S']),
    );
  });

  it('lets rows expire', () => {
    expect(table['TimeToLiveSpecification']).toEqual({ AttributeName: declared.timeToLive, Enabled: true });
  });

  it('is on-demand, and named by CloudFormation', () => {
    expect(table['BillingMode']).toBe('PAY_PER_REQUEST');
    expect(table).not.toHaveProperty('TableName');
  });

  it('has a stream if the contract publishes its rows', () => {
    expect(table['StreamSpecification']).toEqual(
      declared.published.length > 0 ? { StreamViewType: 'NEW_AND_OLD_IMAGES' } : undefined,
    );
  });
});

describe('the class of the Calls table', () => {
  it.each([
    [179, 'STANDARD'],
    [180, 'STANDARD_INFREQUENT_ACCESS'],
  ])('with %i days of retention is %s, and the other tables have the usual one', (callRetentionDays, tableClass) => {
    const { template: retained } = synthesise({ context: { callRetentionDays } });
    const classOf = (name: string) => only(retained, 'AWS::DynamoDB::GlobalTable', name)['Replicas'][0].TableClass;

    expect([classOf('Calls'), classOf('Agents'), classOf('Quarantine')]).toEqual([tableClass, undefined, undefined]);
  });
});

describe('the accounts secret', () => {
  const secret = only(template, 'AWS::SecretsManager::Secret', 'Accounts');

  it('begins with a placeholder that is no JSON', () => {
    expect(secret['SecretString']).toBe(accountsPlaceholder);
    expect(() => JSON.parse(accountsPlaceholder)).toThrow(SyntaxError);
  });

  it('keeps the placeholder’s wording, because CloudFormation would overwrite the accounts with a new one', () => {
    expect(accountsPlaceholder).toBe('REPLACE THIS TEXT WITH THE JSON LIST OF ACCOUNTS');
    expect(secret).not.toHaveProperty('GenerateSecretString');
  });
});
