import { describe, expect, it } from 'vitest';
import { registrySchemas } from '../../../lib/contract/events.ts';
import { personalFields } from '../../../lib/storage/rows.ts';
import { kmsKeyArn } from '../support/configurations.ts';
import { nameOf, only, permissionsIn, propertiesOf, someOf, synthesise } from '../support/template.ts';

const rule = 'arn:AWS::Partition.Ref:events:AWS::Region.Ref:AWS::AccountId.Ref:rule/Bus.Ref/*';

describe('the bus', () => {
  const { template } = synthesise({ context: { subscriberAccounts: '111122223333,444455556666' } });
  const overTls = only(template, 'AWS::Events::EventBusPolicy', 'BusOverTlsOnly');
  const subscribers = only(template, 'AWS::Events::EventBusPolicy', 'BusOwnRulesOfSubscribers');

  it('accepts events over TLS only, from everybody', () => {
    expect(permissionsIn(overTls)).toEqual(['Deny events:PutEvents on Bus.Arn']);
    expect(overTls['Statement']).toMatchObject({
      Principal: { AWS: '*' },
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  });

  it('lets each subscriber manage its own rules, but put no events', () => {
    const actions = [
      ...['PutRule', 'DeleteRule', 'DescribeRule', 'EnableRule', 'DisableRule', 'PutTargets', 'RemoveTargets'],
      ...['ListTargetsByRule', 'TagResource', 'UntagResource', 'ListTagsForResource'],
    ];
    expect(permissionsIn(subscribers).toSorted()).toEqual(
      actions.map((action) => `events:${action} on ${rule}`).toSorted(),
    );
    expect(subscribers['Statement'].Condition).toEqual({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: IAM replaces this variable.
      StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' },
    });
    expect(subscribers['Statement'].Principal.AWS.map(nameOf)).toEqual([
      'arn:AWS::Partition.Ref:iam::111122223333:root',
      'arn:AWS::Partition.Ref:iam::444455556666:root',
    ]);
  });

  it('has only these two policies, each named as in its statement', () => {
    const policies = someOf(template, 'AWS::Events::EventBusPolicy').map(([, policy]) => policy);

    expect(policies).toHaveLength(2);
    for (const { EventBusName, StatementId, Statement } of policies) {
      expect(nameOf(EventBusName)).toBe('Bus.Ref');
      expect(StatementId).toBe(Statement.Sid);
    }
  });
});

it('the bus has dead letters, with their address in an output, only with a key that could fail', () => {
  const keyed = synthesise({ context: { kmsKeyArn } }).template;
  const own = synthesise().template;

  expect(nameOf(only(keyed, 'AWS::Events::EventBus', 'Bus')['DeadLetterConfig'].Arn)).toBe('BusDeadLetters.Arn');
  expect(keyed.findOutputs('BusDeadLettersUrl')).not.toEqual({});
  expect(only(own, 'AWS::Events::EventBus', 'Bus')).not.toHaveProperty('DeadLetterConfig');
});

const { template } = synthesise({ context: { eventArchiveDays: '14' } });

it('the archive keeps only Callfeed’s events, for as many days as set', () => {
  const archive = only(template, 'AWS::Events::Archive', 'Archive');

  expect(nameOf(archive['SourceArn'])).toBe('Bus.Arn');
  expect(archive['RetentionDays']).toBe(14);
  expect(archive['EventPattern']).toEqual({ source: ['callfeed'] });
  expect(archive).not.toHaveProperty('ArchiveName');
});

describe.each(personalFields)('the schemas with personalFieldsInEvents=%s', (personal) => {
  const of = synthesise({
    context: { personalFieldsInEvents: personal, recordings: 'archive', recordingHosts: 'recordings.example.com' },
  }).template;
  const schemas = someOf(of, 'AWS::EventSchemas::Schema').map(([, schema]) => schema);
  const expected = Object.entries(registrySchemas(personal));

  it('are the contract’s, one for each detail type, in the deployment’s registry', () => {
    const found = schemas.map(({ RegistryName, Content, ...schema }) => ({
      ...schema,
      RegistryName: nameOf(RegistryName),
      Content: JSON.parse(Content),
    }));

    expect(found).toEqual(
      expected.map(([type, schema]) => ({
        SchemaName: `callfeed@${type.replaceAll(' ', '')}`,
        Description: `The event ${type}.`,
        RegistryName: 'SchemasRegistry.RegistryName',
        Type: 'JSONSchemaDraft4',
        Content: schema,
      })),
    );
  });
});

describe('leaveOut', () => {
  const { template: without } = synthesise({ context: { leaveOut: 'archive,schemas,queries,bus-policy' } });

  it.each([
    ['AWS::Events::Archive', 1],
    ['AWS::EventSchemas::Schema', 9],
    ['AWS::EventSchemas::Registry', 1],
    ['AWS::Logs::QueryDefinition', 5],
    // The one for TLS: there are no subscribers’ accounts.
    ['AWS::Events::EventBusPolicy', 1],
  ])('removes every %s; otherwise there are %i', (type, count) => {
    expect(propertiesOf(without, type)).toEqual({});
    expect(someOf(template, type)).toHaveLength(count);
  });
});
