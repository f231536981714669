import { Fn } from 'aws-cdk-lib';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { DeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { tables } from '../../functions/transform-events/tables.ts';
import { keysOf } from '../../lib/core/collections.ts';
import type { Core, Outputs } from './deployment-context.ts';
import { eventDeadLetters } from './event-bus.ts';
import { LakeCatalogue, pascalCase, prefixOf } from './lake-catalogue.ts';
import { errorPrefix, lakeStream, rowsNotMade } from './lake-stream.ts';
import { type Alarms, waitingIn } from './monitoring.ts';
import { ServiceFunction } from './service-function.ts';
import { privateBucket } from './storage.ts';

const resultPrefix = 'results/';

/** An answer is there for a week, and a question can be asked again. What could not be converted may hold personal data. */
const resultDays = 7;
const errorDays = 14;

/** Each event becomes a Parquet row that never changes, without personal fields: nobody could erase them. Views take the latest. */
export class Analytics extends Construct {
  readonly service: ServiceFunction;
  readonly bucket: Bucket;
  readonly catalogue: LakeCatalogue;
  readonly undelivered: Queue;
  readonly streams: readonly { readonly name: string; readonly stream: DeliveryStream; readonly rule: Rule }[];
  readonly alarms: Alarms;
  readonly outputs: Outputs;

  constructor(scope: Construct, id: string, core: Core) {
    super(scope, id);

    const { deploymentContext, settings } = core;
    this.bucket = privateBucket(this, 'Lake', deploymentContext, {
      retention: [
        ...keysOf(tables).map((table) => ({ prefix: prefixOf(table), days: settings.analyticsRetentionDays })),
        { prefix: errorPrefix, days: errorDays },
        { prefix: resultPrefix, days: resultDays },
      ],
      whyNoAccessLogs:
        'Rows have no personal fields. CloudTrail can record who reads them, and Athena lists who asked what.',
    });
    this.catalogue = new LakeCatalogue(this, 'Catalogue', { ...core, bucket: this.bucket, resultPrefix });
    this.service = new ServiceFunction(this, 'Service', {
      core,
      name: 'transform-events',
      encryptedIn: [],
      description: 'Makes rows without personal fields of events.',
      environment: {},
    });
    // Not protected: a replay brings the rows again.
    const unprotected = { ...deploymentContext, isProtected: false };
    const reason = 'EventBridge uses it as a dead-letter queue. cdk-nag knows only dead-letter queues of queues.';
    this.undelivered = eventDeadLetters(this, 'Undelivered', unprotected, reason);
    const { bucket, undelivered, catalogue } = this;
    this.streams = keysOf(tables).map((table) => {
      const name = pascalCase(table);
      const parts = { ...core, table, bucket, undelivered, catalogue, transform: this.service };
      return { name, ...lakeStream(new Construct(this, name), parts) };
    });

    const ruleArns = this.streams.map(({ rule }) => rule.ruleArn);
    this.outputs = {
      AnalyticsBucketName: [bucket.bucketName, 'Bucket of the rows of calls and agents, as Parquet.'],
      AnalyticsDatabase: [catalogue.databaseName, 'Glue database of their tables and views.'],
      AnalyticsUndeliveredUrl: [undelivered.queueUrl, 'Queue of events that could not be sent to Firehose for a day.'],
      AnalyticsRuleArns: [
        Fn.join(',', ruleArns),
        'Rules to which the archive can replay events, so that no other subscriber gets them.',
      ],
      AnalyticsWorkGroup: [catalogue.workGroupName, 'Athena work group for questions about them.'],
    };
    this.alarms = {
      AnalyticsUndelivered: {
        impact:
          'EventBridge could not send events to Firehose for a day. Questions about calls and agents leave them out; the tables are correct.',
        metric: waitingIn(undelivered),
      },
      ...Object.fromEntries(this.streams.map(({ name, stream }) => [`Analytics${name}NotMade`, rowsNotMade(stream)])),
    };
  }
}
