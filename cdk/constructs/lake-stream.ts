import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { CfnTable, type S3Table } from 'aws-cdk-lib/aws-glue';
import type { IRole, Role } from 'aws-cdk-lib/aws-iam';
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
import { Construct, type IDependable } from 'constructs';
import { eventSource } from '../../lib/contract/call-events.ts';
import type { EventType } from '../../lib/contract/events.ts';
import type { DeploymentContext } from './deployment-context.ts';
import type { LakeTable } from './lake-catalogue.ts';
import {
  acknowledgeObjects,
  explain,
  keyPermission,
  type Permission,
  type ServiceFunction,
  serviceRole,
  statementOf,
} from './service-function.ts';

export interface LakeStreamProps {
  readonly deploymentContext: DeploymentContext;
  readonly bus: IEventBus;
  readonly events: readonly EventType[];
  readonly transform: ServiceFunction;
  readonly bucket: Bucket;
  readonly table: LakeTable;
  /** What Firehose needs to read the table, beside the permissions of its role. */
  readonly grants: readonly IDependable[];
  readonly undelivered: Queue;
}

/** Objects that Firehose could not convert or transform are below this prefix. */
export const errorPrefix = 'errors/';

/**
 * The longest and the largest that Firehose accepts: many small objects would cost more than the rows in them, and a question
 * about months does not need the last quarter of an hour.
 */
const buffer = { bufferingInterval: Duration.minutes(15), bufferingSize: Size.mebibytes(128) };

/** CDK adds a list of addresses to every stack with a delivery stream, which only one to a database in a VPC uses. */
const unusedAddresses = '@aws-cdk--aws-kinesisfirehose.CidrBlocks';

export class LakeStream extends Construct {
  readonly stream: DeliveryStream;
  readonly rule: Rule;

  constructor(scope: Construct, id: string, props: LakeStreamProps) {
    super(scope, id);

    const { deploymentContext, bus, events, transform, bucket, table, grants, undelivered } = props;
    const { encryptionKey } = deploymentContext;
    const writer = grantedRole(this, 'Role', 'firehose.amazonaws.com', writerPermissions(props));
    const role = onlyAs(writer);
    const reason = 'Firehose chooses the names of the objects that it writes below the prefixes of its table.';
    for (const prefix of writtenBelow(table)) acknowledgeObjects(writer, bucket, reason, prefix);
    const { node } = Stack.of(this);
    const hadAddresses = node.tryFindChild(unusedAddresses) !== undefined;
    this.stream = new DeliveryStream(this, 'Stream', {
      encryption: encryptionKey ? StreamEncryption.customerManagedKey(encryptionKey) : StreamEncryption.awsOwnedKey(),
      role,
      destination: new S3Bucket(bucket, {
        role,
        ...(encryptionKey && { encryptionKey }),
        ...buffer,
        dataOutputPrefix: `${table.prefix}day=!{partitionKeyFromLambda:day}/`,
        errorOutputPrefix: `${errorPrefix}${table.prefix}!{firehose:error-output-type}/!{timestamp:yyyy-MM-dd}/`,
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
          schemaConfiguration: SchemaConfiguration.fromCfnTable(cfnTableOf(table.glue)),
          inputFormat: InputFormat.OPENX_JSON,
          outputFormat: OutputFormat.PARQUET,
        },
      }),
    });
    if (!hadAddresses) node.tryRemoveChild(unusedAddresses);
    // Firehose tries the role, and reads the table, when the stream is made.
    this.stream.node.addDependency(writer, ...grants);
    // What waits in the stream is at most a quarter of an hour old, and comes again with a replay.
    this.stream.applyRemovalPolicy(RemovalPolicy.DESTROY);

    const { deliveryStreamArn: arn } = this.stream;
    const sender = grantedRole(this, 'RuleRole', 'events.amazonaws.com', [
      { actions: ['firehose:PutRecord', 'firehose:PutRecordBatch'], resource: arn, why: 'Sends events to the stream.' },
    ]);
    this.rule = new Rule(this, 'Rule', {
      eventBus: bus,
      description: `Sends the events that become rows of ${table.name} to Firehose.`,
      eventPattern: { source: [eventSource], detailType: [...events] },
      targets: [{ bind: () => ({ arn, role: onlyAs(sender), deadLetterConfig: { arn: undelivered.queueArn } }) }],
    });
  }
}

const grantedRole = (scope: Construct, id: string, service: string, permissions: readonly Permission[]): Role => {
  const role = serviceRole(scope, id, service);
  for (const permission of permissions) {
    role.addToPolicy(statementOf(permission));
    explain(role, permission);
  }
  return role;
};

/** Where in the bucket Firehose writes the rows of a table, and what it could not make rows of. */
const writtenBelow = ({ prefix }: LakeTable): readonly string[] => [prefix, `${errorPrefix}${prefix}`];

/** The role as CDK's constructs get it: they cannot add the wider permissions that they would. */
const onlyAs = (role: Role): IRole => role.withoutPolicyUpdates({ addGrantsToResources: false });

/** https://docs.aws.amazon.com/firehose/latest/dev/controlling-access.html */
const writerPermissions = (props: LakeStreamProps): readonly Permission[] => {
  const { deploymentContext, transform, bucket, table } = props;
  const { encryptionKey } = deploymentContext;
  const stack = Stack.of(bucket);
  const inGlue = (resource: string, resourceName?: string): string =>
    stack.formatArn({ service: 'glue', resource, ...(resourceName !== undefined && { resourceName }) });
  const write = 'Writes rows, and what could not be converted.';
  const read = 'Reads the columns of the table.';
  const glue = ['glue:GetTable', 'glue:GetTableVersion', 'glue:GetTableVersions'];
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
    {
      actions: ['lambda:InvokeFunction', 'lambda:GetFunctionConfiguration'],
      resource: transform.function.functionArn,
      why: 'Makes rows of events.',
    },
    // Glue checks a table's catalogue and database too.
    { actions: glue, resource: inGlue('catalog'), why: read },
    { actions: glue, resource: inGlue('database', table.databaseName), why: read },
    { actions: glue, resource: inGlue('table', `${table.databaseName}/${table.name}`), why: read },
    ...(encryptionKey ? [keyPermission(encryptionKey, ['kms:Decrypt', 'kms:GenerateDataKey'], ['s3'])] : []),
  ];
};

const cfnTableOf = ({ node: { defaultChild, path } }: S3Table): CfnTable => {
  if (!CfnTable.isCfnTable(defaultChild)) throw new Error(`${path} has no CloudFormation resource`);

  return defaultChild;
};
