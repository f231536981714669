import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Callfeed } from '../../../cdk/callfeed.ts';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { composeTransform } from '../../../functions/transform-events/app.ts';
import { createViews, openDuckDb, writeParquet } from '../../../functions/transform-events/duckdb.ts';
import { questions } from '../../../functions/transform-events/sql-files.ts';
import { tableOfEvent, tables } from '../../../functions/transform-events/tables.ts';
import { views } from '../../../functions/transform-events/views.ts';
import { isEventType } from '../../../lib/contract/events.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import { lambdaContext } from '../../../sandbox/functions/load-function.ts';
import { glueTypes } from '../../analytics/expectations.ts';
import { everyEvent, firehoseEvent } from '../../support/every-event.ts';
import { appFor, nameOf, only, type Properties, someOf, synthesise } from '../support/template.ts';

const { template } = synthesise({ context: { analytics: 'on', analyticsRetentionDays: '400' } });

const glueTables: Readonly<Record<string, Properties>> = Object.fromEntries(
  someOf(template, 'AWS::Glue::Table').map(([, { TableInput }]) => [TableInput.Name, TableInput]),
);
const typesIn = (columns: readonly { readonly Name: string; readonly Type: string }[]) =>
  columns.map(({ Name, Type }) => [Name, Type]);

const folder = mkdtempSync(join(tmpdir(), 'callfeed-lake-'));

describe('what the function makes of every event', () => {
  let duckDb: DuckDBConnection;
  const describeQuery = async (query: string) => {
    const rows = await (await duckDb.runAndReadAll(`DESCRIBE ${query}`)).getRowObjects();
    return rows.map(({ column_name, column_type }) => [column_name, glueTypes[String(column_type)] ?? column_type]);
  };

  beforeAll(async () => {
    duckDb = await openDuckDb();
    const events = (await everyEvent('keep')).map(({ type, detail }) => ({ 'detail-type': type, detail }));
    const transform = composeTransform({
      telemetry: jsonTelemetry({ function: 'transform-events', deployment: 'test' }, () => undefined),
    });
    const { records } = await transform(firehoseEvent(events), lambdaContext('transform-events', 60_000));
    const rows = records.flatMap(({ data = '', metadata }, index) => {
      const type = events[index]?.['detail-type'];
      const table = isEventType(type) ? tableOfEvent(type) : undefined;
      const day = metadata?.partitionKeys['day'];
      if (table === undefined || day === undefined) return [];
      return [{ table, day, row: JSON.parse(Buffer.from(data, 'base64').toString()) }];
    });
    await writeParquet(duckDb, folder, rows);
    await createViews(duckDb, folder);
  });
  afterAll(() => duckDb.closeSync());

  it.each(keysOf(tables))('is Parquet with the types that Glue has for %s', async (table) => {
    const files = join(folder, table, '*', '*.parquet');

    expect(await describeQuery(`SELECT * FROM read_parquet('${files}', hive_partitioning = false)`)).toEqual(
      typesIn(glueTables[table]?.['StorageDescriptor'].Columns),
    );
  });

  it.each(views.map(({ name }) => name))('is read by the view %s with the types that Glue has for it', async (view) => {
    const { StorageDescriptor, ViewOriginalText } = glueTables[view] ?? {};
    const [, encoded = ''] = /^\/\* Presto View: (\S+) \*\/$/.exec(ViewOriginalText) ?? [];
    const { originalSql, columns, catalog, schema } = JSON.parse(Buffer.from(encoded, 'base64').toString());

    expect(await describeQuery(`(${originalSql})`)).toEqual(typesIn(StorageDescriptor.Columns));
    expect([catalog, schema]).toEqual(['awsdatacatalog', 'callfeed_prod_callfeed']);
    expect(columns.map(({ name }: { readonly name: string }) => name)).toEqual(
      StorageDescriptor.Columns.map(({ Name }: { readonly Name: string }) => Name),
    );
  });
});

it.each(keysOf(tables))('the table %s has a folder for each day, and Athena computes their names', (table) => {
  const { Parameters, PartitionKeys, StorageDescriptor } = glueTables[table] ?? {};

  expect(typesIn(PartitionKeys)).toEqual([['day', 'string']]);
  expect(Parameters).toMatchObject({
    'projection.enabled': 'true',
    'projection.day.type': 'date',
    'projection.day.format': 'yyyy-MM-dd',
    'projection.day.range': 'NOW-400DAYS,NOW+1DAYS',
  });
  expect(nameOf(StorageDescriptor.Location)).toBe(`s3://AnalyticsLake.Ref/${table}/`);
});

describe.each([
  ['CallRevisions', 'call_revisions'],
  ['AgentChanges', 'agent_changes'],
] as const)('the stream %s', (name, table) => {
  const { ExtendedS3DestinationConfiguration: destination, ...stream } = only(
    template,
    'AWS::KinesisFirehose::DeliveryStream',
    `Analytics${name}`,
  );

  it('writes Parquet by day and table every quarter of an hour, and what fails under the error prefix', () => {
    expect(destination).toMatchObject({
      BufferingHints: { IntervalInSeconds: 900, SizeInMBs: 128 },
      Prefix: `${table}/day=!{partitionKeyFromLambda:day}/`,
      ErrorOutputPrefix: `errors/${table}/!{firehose:error-output-type}/!{timestamp:yyyy-MM-dd}/`,
      DynamicPartitioningConfiguration: { Enabled: true },
      DataFormatConversionConfiguration: {
        Enabled: true,
        OutputFormatConfiguration: { Serializer: { ParquetSerDe: {} } },
        SchemaConfiguration: { VersionId: 'LATEST' },
      },
    });
    const { SchemaConfiguration } = destination.DataFormatConversionConfiguration;
    expect(nameOf(SchemaConfiguration.TableName)).toBe(`AnalyticsCatalogue${name}Table.Ref`);
    expect(destination).not.toHaveProperty('CloudWatchLoggingOptions');
    expect(stream['DeliveryStreamEncryptionConfigurationInput']).toEqual({ KeyType: 'AWS_OWNED_CMK' });
  });

  it('gets the events of its table from the bus, by a rule whose failures are kept', () => {
    const rule = only(template, 'AWS::Events::Rule', `Analytics${name}`);
    const [target] = rule['Targets'];

    expect(rule['EventPattern']).toEqual({ source: ['callfeed'], 'detail-type': tables[table].events });
    expect([target.Arn, target.RoleArn, target.DeadLetterConfig.Arn].map(nameOf)).toEqual([
      `Analytics${name}Stream.Arn`,
      `Analytics${name}RuleRole.Arn`,
      'AnalyticsUndelivered.Arn',
    ]);
  });
});

it('the bucket keeps rows as long as the setting says, errors for 14 days and answers for 7', () => {
  const lake = only(template, 'AWS::S3::Bucket', 'AnalyticsLake');
  const rules: readonly { readonly Prefix?: string; readonly ExpirationInDays?: number }[] =
    lake['LifecycleConfiguration'].Rules;

  expect(rules.flatMap(({ Prefix, ExpirationInDays }) => (Prefix ? [[Prefix, ExpirationInDays]] : []))).toEqual([
    ['call_revisions/', 400],
    ['agent_changes/', 400],
    ['errors/', 14],
    ['results/', 7],
  ]);
});

it('rows come as late as the pages say: Firehose waits for both buffers, and for that of days half as long again', () => {
  const minutes = someOf(template, 'AWS::KinesisFirehose::DeliveryStream').map(
    ([, { ExtendedS3DestinationConfiguration: destination }]) => {
      const [{ Parameters }] = destination.ProcessingConfiguration.Processors;
      const interval = Parameters.find(({ ParameterName }: Properties) => ParameterName === 'BufferIntervalInSeconds');
      return (1.5 * destination.BufferingHints.IntervalInSeconds + Number(interval.ParameterValue)) / 60;
    },
  );
  const [, stated = ''] = /Rows come within (\d+) minutes/.exec(readFileSync('docs/analytics.md', 'utf8')) ?? [];

  expect(Math.ceil(Math.max(...minutes))).toBe(Number(stated));
});

it('Lake Formation decides on database and tables by its defaults, or leaves them to IAM where the setting says so', () => {
  const { template: left } = synthesise({ context: { analytics: 'on', lakeFormation: 'iam' } });
  const grants = someOf(left, 'AWS::LakeFormation::PrincipalPermissions').map(([, grant]) => grant);

  expect(template.findResources('AWS::LakeFormation::PrincipalPermissions')).toEqual({});
  for (const grant of grants)
    expect(grant).toMatchObject({
      Principal: { DataLakePrincipalIdentifier: 'IAM_ALLOWED_PRINCIPALS' },
      Permissions: ['ALL'],
      PermissionsWithGrantOption: [],
    });
  const named = grants.map(({ Resource: { Database, Table } }) =>
    Database ? nameOf(Database.Name) : `${nameOf(Table.DatabaseName)} ${JSON.stringify(Table.TableWildcard)}`,
  );
  expect(named).toEqual(['AnalyticsCatalogueDatabase.Ref', 'AnalyticsCatalogueDatabase.Ref {}']);
  // Firehose reads its table when the stream is made, and its creation fails where it may not.
  const ids = Object.keys(left.findResources('AWS::LakeFormation::PrincipalPermissions'));
  const streams = Object.values(left.findResources('AWS::KinesisFirehose::DeliveryStream'));
  expect(ids).toHaveLength(2);
  expect(streams).toHaveLength(2);
  for (const { DependsOn } of streams) expect(DependsOn).toEqual(expect.arrayContaining(ids));
});

describe('the work group', () => {
  it.each([
    ['its deployment’s name, where Athena accepts it', 'Callfeed', /^contact-centre-Callfeed$/],
    ['another where that has a #', 'Call#feed', /^contactcentre-[\w.-]+$/],
    ['another where that is too long', 'c'.repeat(150), /^[\w.-]{1,128}$/],
  ])('has %s', (_what, id, name) => {
    const stack = new Stack(appFor(), 'contact-centre');
    new Callfeed(stack, id, { analytics: 'on' });
    const names = someOf(Template.fromStack(stack), 'AWS::Athena::WorkGroup').map(([, { Name }]) => Name);

    expect(names).toEqual([expect.stringMatching(name)]);
  });

  it('ends a question that reads more than 10 GB, and writes the answers beside the rows', () => {
    const { WorkGroupConfiguration } = only(template, 'AWS::Athena::WorkGroup', 'Analytics');

    expect(WorkGroupConfiguration).toMatchObject({
      EnforceWorkGroupConfiguration: true,
      BytesScannedCutoffPerQuery: 10 * 2 ** 30,
    });
    expect(nameOf(WorkGroupConfiguration.ResultConfiguration.OutputLocation)).toBe('s3://AnalyticsLake.Ref/results/');
  });

  it('has every question under its title, unless saved queries are left out', () => {
    const saved = someOf(template, 'AWS::Athena::NamedQuery').map(([, { Name, QueryString, Database }]) => [
      Name,
      QueryString,
      nameOf(Database),
    ]);

    expect(saved.toSorted()).toEqual(
      questions()
        .map(({ title, sql }) => [title, sql, 'AnalyticsCatalogueDatabase.Ref'])
        .toSorted(),
    );
    const { template: without } = synthesise({ context: { analytics: 'on', leaveOut: 'queries' } });
    expect(without.findResources('AWS::Athena::NamedQuery')).toEqual({});
  });
});
