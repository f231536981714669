import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { CfnTable, type S3Table } from 'aws-cdk-lib/aws-glue';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import {
  DeliveryStream,
  DisableLogging,
  InputFormat,
  LambdaFunctionProcessor,
  OutputFormat,
  S3Bucket,
  SchemaConfiguration,
  StreamEncryption,
} from 'aws-cdk-lib/aws-kinesisfirehose';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { dayPartition, type TableName, tables } from '../../functions/transform-events/tables.ts';
import { eventSource } from '../../lib/storage/event.ts';
import type { Core } from './deployment-context.ts';
import { allowDeadLetters } from './event-bus.ts';
import { type LakeCatalogue, prefixOf } from './lake-catalogue.ts';
import type { AlarmSpec } from './monitoring.ts';
import {
  acknowledgeObjects,
  keyPermission,
  type RolePermission,
  type ServiceFunction,
  serviceRole,
} from './service-function.ts';

export const errorPrefix = 'errors/';

/**
 * Runs also fail if they are throttled or forbidden, or if the customer's key is unavailable. After three retries a batch goes
 * below the error prefix.
 */
export const rowsNotMade = (stream: DeliveryStream): AlarmSpec => ({
  impact:
    'The function that makes rows of events fails, or Firehose may not run it. Questions leave out what came meanwhile; the tables are correct.',
  metric: stream.metric('ExecuteProcessing.Success', { statistic: 'Minimum' }),
  below: true,
  section: 'Analytics rows not made',
});

interface LakeStreamParts extends Core {
  readonly table: TableName;
  readonly bucket: Bucket;
  readonly undelivered: Queue;
  readonly catalogue: LakeCatalogue;
  readonly transform: ServiceFunction;
}

/** The most that Firehose accepts: many small objects would cost more than their rows, and nobody asks about the last minutes. */
const buffer = { bufferingInterval: Duration.minutes(15), bufferingSize: Size.mebibytes(128) };

/** CDK adds Firehose's addresses to each stack with a stream. Only a stream to a database in a VPC uses them. */
const unusedAddresses = '@aws-cdk--aws-kinesisfirehose.CidrBlocks';

export const lakeStream = (scope: Construct, parts: LakeStreamParts) => {
  const { bus, bucket, table, catalogue, undelivered } = parts;
  const { encryptionKey } = parts.deploymentContext;
  const { granted: writer, role } = serviceRole(scope, 'Role', 'firehose.amazonaws.com', writerPermissions(parts));
  const reason = 'Firehose chooses the names of the objects that it writes below the prefixes of its table.';
  for (const prefix of writtenBelow(table)) acknowledgeObjects(writer, bucket, reason, prefix);
  const { node } = Stack.of(scope);
  const hadAddresses = node.tryFindChild(unusedAddresses) !== undefined;
  const stream = new DeliveryStream(scope, 'Stream', {
    encryption: encryptionKey ? StreamEncryption.customerManagedKey(encryptionKey) : StreamEncryption.awsOwnedKey(),
    role,
    destination: rowsBelowPrefix(parts, role),
  });
  if (!hadAddresses) node.tryRemoveChild(unusedAddresses);
  // Firehose tries the role, and reads the table, when the stream is made.
  stream.node.addDependency(writer, ...catalogue.leftToIam);
  // The stream holds a quarter of an hour at most, and a replay sends that again.
  stream.applyRemovalPolicy(RemovalPolicy.DESTROY);

  const { deliveryStreamArn: arn } = stream;
  const sender = serviceRole(scope, 'RuleRole', 'events.amazonaws.com', [
    { actions: ['firehose:PutRecord', 'firehose:PutRecordBatch'], resource: arn, why: 'Sends events to the stream.' },
  ]);
  const rule = new Rule(scope, 'Rule', {
    eventBus: bus,
    description: `Sends the events that become rows of ${table} to Firehose.`,
    eventPattern: { source: [eventSource], detailType: [...tables[table].events] },
    targets: [{ bind: () => ({ arn, role: sender.role, deadLetterConfig: { arn: undelivered.queueArn } }) }],
  });
  // EventBridge tries again where it is throttled, not where it is forbidden: an event before the permission would be a dead letter.
  rule.node.addDependency(sender.granted);
  allowDeadLetters(undelivered, rule.ruleArn);

  return { stream, rule };
};

const rowsBelowPrefix = (parts: LakeStreamParts, role: IRole): S3Bucket => {
  const { bucket, table, catalogue, transform } = parts;
  const { encryptionKey } = parts.deploymentContext;

  return new S3Bucket(bucket, {
    role,
    ...(encryptionKey && { encryptionKey }),
    ...buffer,
    dataOutputPrefix: `${prefixOf(table)}${dayPartition.name}=!{partitionKeyFromLambda:${dayPartition.name}}/`,
    errorOutputPrefix: `${errorPrefix}${prefixOf(table)}!{firehose:error-output-type}/!{timestamp:yyyy-MM-dd}/`,
    dynamicPartitioning: { enabled: true },
    // The messages of a failed conversion may quote a value. They are in the object with the failed record.
    loggingConfig: new DisableLogging(),
    processors: [
      new LambdaFunctionProcessor(transform.function, {
        bufferInterval: Duration.minutes(5),
        bufferSize: Size.mebibytes(1),
        retries: 3,
      }),
    ],
    dataFormatConversion: {
      schemaConfiguration: SchemaConfiguration.fromCfnTable(cfnTableOf(catalogue.tables[table])),
      inputFormat: InputFormat.OPENX_JSON,
      outputFormat: OutputFormat.PARQUET,
    },
  });
};

const writtenBelow = (table: TableName): readonly string[] => [prefixOf(table), `${errorPrefix}${prefixOf(table)}`];

/** https://docs.aws.amazon.com/firehose/latest/dev/controlling-access.html */
const writerPermissions = (parts: LakeStreamParts): readonly RolePermission[] => {
  const { bucket, table, transform } = parts;
  const { encryptionKey } = parts.deploymentContext;
  const { databaseName } = parts.catalogue;
  const write = 'Writes rows, and what could not be converted.';
  return [
    ...writtenBelow(table).map((prefix) => ({
      actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
      resource: `${bucket.bucketArn}/${prefix}*`,
      why: write,
    })),
    {
      actions: ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
      resource: bucket.bucketArn,
      why: write,
    },
    // The stream names the function without a version, and AWS's example of a policy grants one. Which of the two Firehose asks
    // for, no page says.
    ...['', ':$LATEST'].map((version) => ({
      actions: ['lambda:InvokeFunction', 'lambda:GetFunctionConfiguration'],
      resource: `${transform.function.functionArn}${version}`,
      why: 'Makes rows of events.',
    })),
    // Glue checks a table's catalogue and database too.
    ...['catalog', `database/${databaseName}`, `table/${databaseName}/${table}`].map((path) => ({
      actions: ['glue:GetTable', 'glue:GetTableVersion', 'glue:GetTableVersions'],
      resource: Stack.of(bucket).formatArn({ service: 'glue', resource: path }),
      why: 'Reads the columns of the table.',
    })),
    ...(encryptionKey ? [keyPermission(encryptionKey, ['kms:Decrypt', 'kms:GenerateDataKey'], ['s3'])] : []),
  ];
};

const cfnTableOf = ({ node: { defaultChild, path } }: S3Table): CfnTable => {
  if (!CfnTable.isCfnTable(defaultChild)) throw new Error(`${path} has no CloudFormation resource`);

  return defaultChild;
};
