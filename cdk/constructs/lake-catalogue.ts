import { Names, RemovalPolicy, Size } from 'aws-cdk-lib';
import { CfnNamedQuery, CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import {
  CfnTable,
  Database,
  DataFormat,
  PartitionProjectionConfiguration,
  S3Table,
  S3TableStorage,
  Schema,
} from 'aws-cdk-lib/aws-glue';
import { CfnPrincipalPermissions } from 'aws-cdk-lib/aws-lakeformation';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { ResultColumn } from '../../functions/transform-events/result-columns.ts';
import { questions, type SqlFile } from '../../functions/transform-events/sql-files.ts';
import { dayPartition, type TableName, tables } from '../../functions/transform-events/tables.ts';
import { views } from '../../functions/transform-events/views.ts';
import { mapValues } from '../../lib/core/collections.ts';
import type { Core } from './deployment-context.ts';

interface LakeCatalogueProps extends Core {
  readonly bucket: Bucket;
  readonly resultPrefix: string;
}

/** A question that reads more ends unanswered: 10 GB cost five cents, and years of a large contact centre are less. */
const maxScanned = Size.gibibytes(10);

/** Tables and views in Glue, and questions in Athena, which computes the folders of days: nothing has to look for new ones. */
export class LakeCatalogue extends Construct {
  readonly tables: Readonly<Record<TableName, S3Table>>;
  readonly databaseName: string;
  readonly workGroupName: string;
  /** What leaves the lake to IAM, if asked for: nothing reads the tables before it. */
  readonly leftToIam: readonly CfnPrincipalPermissions[];

  constructor(scope: Construct, id: string, { deploymentContext, settings, bucket, resultPrefix }: LakeCatalogueProps) {
    super(scope, id);

    const { deployment, encryptionKey } = deploymentContext;
    // Without a hyphen, so that nobody has to quote it.
    this.databaseName = deployment.toLowerCase().replaceAll(/\W/g, '_');
    // A database of Glue holds no data. If this one outlived the stack, the next deployment could not create its own.
    const database = new Database(this, 'Database', {
      databaseName: this.databaseName,
      description: 'History of calls and agents.',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const days = PartitionProjectionConfiguration.date({
      min: `NOW-${settings.analyticsRetentionDays}DAYS`,
      // The day begins in the east before it begins in UTC, and a clock may be ahead.
      max: 'NOW+1DAYS',
      format: 'yyyy-MM-dd',
    });
    this.tables = mapValues(tables, ({ columns, meaning }, name) => {
      return new S3Table(this, pascalCase(name), {
        database,
        tableName: name,
        description: meaning,
        storage: S3TableStorage.fromBucket(bucket),
        s3Prefix: prefixOf(name),
        dataFormat: DataFormat.PARQUET,
        hasEncryptedData: false,
        columns: Object.entries(columns).map(([column, about]) => glueColumn({ name: column, ...about })),
        partitionKeys: [glueColumn(dayPartition)],
        partitionProjection: { [dayPartition.name]: days },
      });
    });
    this.leftToIam = settings.lakeFormation === 'iam' ? leaveToIam(this, database) : [];
    for (const view of views) athenaView(this, database, this.databaseName, view);

    this.workGroupName = workGroupFor(this, deployment);
    const workGroup = new CfnWorkGroup(this, 'WorkGroup', {
      name: this.workGroupName,
      description: 'Questions about the history of calls and agents.',
      // Its saved questions and the list of those that were asked go with it.
      recursiveDeleteOption: true,
      workGroupConfiguration: {
        enforceWorkGroupConfiguration: true,
        bytesScannedCutoffPerQuery: maxScanned.toBytes(),
        engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
        resultConfiguration: {
          outputLocation: `s3://${bucket.bucketName}/${resultPrefix}`,
          encryptionConfiguration: encryptionKey
            ? { encryptionOption: 'SSE_KMS', kmsKey: encryptionKey.keyArn }
            : { encryptionOption: 'SSE_S3' },
        },
      },
    });
    workGroup.applyRemovalPolicy(RemovalPolicy.DESTROY);
    if (settings.leaveOut.includes('queries')) return;
    for (const { name, title, meaning, sql } of questions())
      new CfnNamedQuery(this, pascalCase(name), {
        name: title,
        description: meaning,
        database: database.databaseName,
        workGroup: workGroup.ref,
        queryString: sql,
      });
  }
}

/**
 * Leaves the database and its tables to IAM, as Lake Formation does by default. Where an administrator has switched that off,
 * Firehose could otherwise not read the columns of its table.
 * https://docs.aws.amazon.com/lake-formation/latest/dg/change-settings.html
 */
const leaveToIam = (
  scope: Construct,
  { catalog: { catalogId }, databaseName }: Database,
): readonly CfnPrincipalPermissions[] => {
  const resources = {
    Database: { database: { catalogId, name: databaseName } },
    Tables: { table: { catalogId, databaseName, tableWildcard: {} } },
  };
  const all = { permissions: ['ALL'], permissionsWithGrantOption: [] };
  const principal = { dataLakePrincipalIdentifier: 'IAM_ALLOWED_PRINCIPALS' };
  return Object.entries(resources).map(
    ([id, resource]) => new CfnPrincipalPermissions(scope, `${id}LeftToIam`, { principal, resource, ...all }),
  );
};

/** The deployment's name, or where Athena does not accept that, one that CDK makes of the path. */
const workGroupFor = (scope: Construct, deployment: string): string =>
  /^[\w.-]{1,128}$/.test(deployment)
    ? deployment
    : Names.uniqueResourceName(scope, { maxLength: 128, separator: '-', allowedSpecialCharacters: '.-_' });

export const prefixOf = (name: TableName): string => `${name}/`;

const glueColumn = ({ name, type, meaning }: Pick<ResultColumn, 'name' | 'type' | 'meaning'>) => ({
  name,
  type: Schema.custom(type),
  // The longest comment that Glue accepts.
  comment: meaning.slice(0, 255),
});

const athenaTypes: Readonly<Record<ResultColumn['type'], string>> = {
  string: 'varchar',
  int: 'integer',
  bigint: 'bigint',
  double: 'double',
  timestamp: 'timestamp(3)',
  'array<string>': 'array(varchar)',
  'array<boolean>': 'array(boolean)',
  'array<double>': 'array(double)',
};

/** As `CREATE VIEW` of Athena writes it: SQL and types in a comment. AWS documents it nowhere; tools rely on it since 2018. */
const athenaView = (scope: Construct, database: Database, schema: string, { name, meaning, columns, sql }: SqlFile) => {
  const text = JSON.stringify({
    originalSql: sql,
    catalog: 'awsdatacatalog',
    schema,
    columns: columns.map(({ name: column, type }) => ({ name: column, type: athenaTypes[type] })),
  });
  return new CfnTable(scope, pascalCase(name), {
    catalogId: database.catalog.catalogId,
    databaseName: database.databaseName,
    tableInput: {
      name,
      description: meaning,
      tableType: 'VIRTUAL_VIEW',
      parameters: { presto_view: 'true', comment: 'Presto View' },
      partitionKeys: [],
      storageDescriptor: {
        columns: columns.map((column) => ({ ...glueColumn(column), type: column.type })),
        serdeInfo: {},
      },
      viewOriginalText: `/* Presto View: ${Buffer.from(text).toString('base64')} */`,
      viewExpandedText: '/* Presto View */',
    },
  });
};

/** `CallRevisions` for `call_revisions` or `call-revisions`, for ids of constructs. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
