import { CfnElement, Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import {
  type EventSourceMapping,
  FilterCriteria,
  FilterRule,
  MetricType,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { PublishChangesEnv } from '../../functions/publish-changes/env.ts';
import type { Settings } from '../settings/settings.ts';
import { ServiceFunction } from './service-function.ts';
import { dataRemovalPolicy, type Standards } from './standards.ts';

/** How long changes that were never published are kept: for as long as a dead letter in a queue could be, twice. */
const failedChangesDays = 28;

/**
 * Where changes of rows are set aside that could not be published while the stream still had them. A bucket, as Lambda
 * hands over the rows themselves to no other destination; a queue gets no more than their place in a stream that is gone.
 */
const failedChangesBucket = (scope: Construct, id: string, standards: Standards): Bucket => {
  const { encryptionKey } = standards;
  const bucket = new Bucket(scope, id, {
    ...(encryptionKey
      ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    lifecycleRules: [
      { expiration: Duration.days(failedChangesDays), abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
    removalPolicy: dataRemovalPolicy(standards),
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'Only Lambda writes here, and only after a day of outage; whoever reads it does so as a person, in CloudTrail.',
  });

  return bucket;
};

/** The rights that setting aside takes: Lambda writes in the name of the function whose changes they are. */
const allowFailedChanges = (publisher: ServiceFunction, { bucketArn, node, stack }: Bucket): void => {
  const why = 'Sets aside the changes that could not be published for a day.';
  publisher.allow(bucketArn, why, 's3:ListBucket');
  publisher.allow(`${bucketArn}/*`, why, 's3:PutObject');

  const logicalId = CfnElement.isCfnElement(node.defaultChild) ? stack.getLogicalId(node.defaultChild) : '';
  Validations.of(publisher).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/*]`,
    reason: 'Lambda names the objects that it writes for the function; the bucket holds nothing else.',
  });
};

/** A table, and the kinds of its rows whose changes become events. */
export interface PublishedTable {
  readonly table: TableV2;
  readonly kinds: readonly string[];
}

/** The tables that make events, each by the id of the subscription to it. */
export type PublishedTables<Of> = Readonly<Record<'Calls' | 'Agents', Of>>;

/** The tables, and the bus that their events go to. */
export interface PublishChangesProps {
  readonly standards: Standards;
  readonly tables: PublishedTables<PublishedTable>;
  readonly bus: IEventBus;
  readonly settings: Pick<Settings, 'personalFieldsInEvents'>;
}

const streamOf = ({ tableStreamArn, node }: TableV2): string => {
  if (tableStreamArn === undefined) throw new Error(`${node.path} has no stream to publish from`);

  return tableStreamArn;
};

/** Rows of other kinds, and rows that go, are no events: the function is not run for them. */
const ofKinds = (kinds: readonly string[]) =>
  FilterCriteria.filter({ dynamodb: { NewImage: { kind: { S: FilterRule.or(...kinds) } } } });

/** Turns the tables' changes into events; alone in having the right to. */
export class PublishChanges extends Construct {
  readonly service: ServiceFunction;
  readonly unpublished: Bucket;
  readonly subscriptions: PublishedTables<EventSourceMapping>;

  constructor(scope: Construct, id: string, { standards, tables, bus, settings }: PublishChangesProps) {
    super(scope, id);

    this.service = new ServiceFunction(this, 'Service', {
      standards,
      name: 'publish-changes',
      encryptedIn: ['dynamodb', 's3'],
      description: 'Publishes an event for every change of a row.',
      environment: {
        BUS_NAME: bus.eventBusName,
        PERSONAL_FIELDS: settings.personalFieldsInEvents,
      } satisfies PublishChangesEnv,
    });
    this.service.allow(bus.eventBusArn, 'Publishes, alone in the deployment.', 'events:PutEvents');
    this.service.allowEverywhere('Finds the streams of the tables.', 'dynamodb:ListStreams');

    this.unpublished = failedChangesBucket(this, 'Unpublished', standards);
    allowFailedChanges(this.service, this.unpublished);
    this.subscriptions = {
      Calls: this.subscription('Calls', tables.Calls),
      Agents: this.subscription('Agents', tables.Agents),
    };
  }

  private subscription(name: string, { table, kinds }: PublishedTable): EventSourceMapping {
    const eventSourceArn = streamOf(table);
    this.service.allow(
      eventSourceArn,
      'Is handed the changes of the table.',
      'dynamodb:DescribeStream',
      'dynamodb:GetRecords',
      'dynamodb:GetShardIterator',
    );

    return this.service.function.addEventSourceMapping(name, {
      eventSourceArn,
      filters: [ofKinds(kinds)],
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // Order is promised per call and per agent, and the rows of one key stay in one lane. Four lanes a shard keep
      // pace with a busy floor, and leave most of a small account's concurrency to the receiver.
      parallelizationFactor: 4,
      // An outage of the bus costs delay, not events. The stream drops a record after 24 hours, and what has been
      // dropped cannot be set aside any more, hence the hour less.
      maxRecordAge: Duration.hours(23),
      onFailure: { bind: () => ({ destination: this.unpublished.bucketArn }) },
      // Tells how much was set aside.
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
    });
  }
}
