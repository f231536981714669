import { describe, expect, it } from 'vitest';
import { personalFields } from '../../lib/contract/personal-fields.ts';
import { registrySchemas } from '../../lib/contract/registry-schemas.ts';
import { everyEvent } from '../lib/support/every-event.ts';
import { nameOf, only, propertiesOf, someOf } from './resources.ts';
import { synthesise } from './synthesise.ts';

const { template } = synthesise({ context: { eventArchiveDays: '14' } });

describe('the archive', () => {
  const archive = only(template, 'AWS::Events::Archive', 'Archive');

  it('keeps every event of ours for as long as the setting says, and nobody else’s', () => {
    expect(nameOf(archive['SourceArn'])).toBe('Bus.Arn');
    expect(archive['RetentionDays']).toBe(14);
    expect(archive['EventPattern']).toEqual({ source: ['callfeed'] });
    expect(archive).not.toHaveProperty('ArchiveName');
  });
});

describe.each(personalFields)('the schemas where events %s what is personal', (personal) => {
  const of = synthesise({ context: { personalFieldsInEvents: personal } }).template;
  const schemas = someOf(of, 'AWS::EventSchemas::Schema').map(([, schema]) => schema);
  const expected = Object.entries(registrySchemas(personal));

  it('are one for each detail type, in the registry of the deployment', async () => {
    const types = new Set((await everyEvent(personal)).map(({ type }) => type));

    expect(new Set(expected.map(([type]) => type))).toEqual(types);
    expect(schemas.map(({ SchemaName }) => SchemaName)).toEqual(
      [...expected].map(([type]) => `callfeed@${type.replaceAll(' ', '')}`),
    );
    for (const { RegistryName } of schemas) expect(nameOf(RegistryName)).toBe('SchemasRegistry.RegistryName');
  });

  it.each(expected)('hold what the contract says of %s', (type, schema) => {
    const [found, ...others] = schemas.filter(({ Description }) => Description === `The event ${type}.`);

    expect(others).toEqual([]);
    expect(found).toMatchObject({ Type: 'JSONSchemaDraft4' });
    expect(JSON.parse(found?.['Content'])).toEqual(schema);
  });
});

describe('what is left out', () => {
  const { template: without } = synthesise({ context: { leaveOut: 'archive,schemas,queries' } });

  it.each([
    ['AWS::Events::Archive', 1],
    ['AWS::EventSchemas::Schema', 9],
    ['AWS::EventSchemas::Registry', 1],
    ['AWS::Logs::QueryDefinition', 5],
  ])('%s is not there, where otherwise there are %i', (type, count) => {
    expect(propertiesOf(without, type)).toEqual({});
    expect(someOf(template, type)).toHaveLength(count);
  });
});
