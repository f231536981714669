import type { IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import type { DeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { tables } from '../../functions/transform-events/tables.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { type Alarms, fiveMinutes, waitingIn } from '../monitoring/alarm.ts';
import type { Settings } from '../settings/settings.ts';
import { type DeploymentContext, privateBucket } from './deployment-context.ts';
import { allowDeadLetters, eventDeadLetters } from './event-bus.ts';
import { LakeCatalogue, pascalCase, prefixOf } from './lake-catalogue.ts';
import { errorPrefix, LakeStream } from './lake-stream.ts';
import { ServiceFunction } from './service-function.ts';

export interface AnalyticsProps {
  readonly deploymentContext: DeploymentContext;
  readonly bus: IEventBus;
  readonly settings: Pick<Settings, 'analyticsRetentionDays' | 'lakeFormation' | 'leaveOut'>;
}

const resultPrefix = 'results/';

/** An answer is there for a week, and a question can be asked again. What could not be converted may hold personal data. */
const resultDays = 7;
const errorDays = 14;

/**
 * The history of calls and agents as Parquet in S3, for questions in SQL. Each event becomes a row, and no row is ever changed:
 * views take the latest. Rows have no personal fields, because nobody could erase them.
 */
export class Analytics extends Construct {
  readonly service: ServiceFunction;
  readonly bucket: Bucket;
  readonly catalogue: LakeCatalogue;
  /** Events that EventBridge could not send for a day. */
  readonly undelivered: Queue;
  /** For each table its stream, and the rule that feeds it. */
  readonly streams: readonly { readonly name: string; readonly stream: DeliveryStream; readonly rule: Rule }[];
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, { deploymentContext, bus, settings }: AnalyticsProps) {
    super(scope, id);

    this.bucket = lakeBucket(this, 'Lake', deploymentContext, settings.analyticsRetentionDays);
    this.catalogue = new LakeCatalogue(this, 'Catalogue', {
      deploymentContext,
      settings,
      bucket: this.bucket,
      resultPrefix,
    });
    this.service = new ServiceFunction(this, 'Service', {
      deploymentContext,
      name: 'transform-events',
      encryptedIn: [],
      description: 'Makes rows without personal fields of events.',
      environment: {},
    });
    // It goes with the stack, as a replay brings the rows again.
    const unprotected = { ...deploymentContext, isProtected: false };
    const reason = 'It is the dead-letter queue of two rules. The rule knows only those of queues.';
    this.undelivered = eventDeadLetters(this, 'Undelivered', unprotected, reason);
    const { bucket, undelivered, catalogue } = this;
    this.streams = keysOf(catalogue.tables).map((table) => {
      const name = pascalCase(table);
      const { stream, rule } = new LakeStream(this, name, {
        ...{ deploymentContext, bus, bucket, undelivered, transform: this.service },
        events: tables[table].events,
        table: catalogue.tables[table],
        grants: catalogue.leftToIam,
      });
      allowDeadLetters(undelivered, rule.ruleArn);
      return { name, stream, rule };
    });

    this.alarms = {
      AnalyticsUndelivered: {
        impact:
          'EventBridge could not send events to Firehose for a day. Questions about calls and agents leave them out; the tables are correct.',
        metric: waitingIn(undelivered),
        threshold: 1,
      },
      ...Object.fromEntries(this.streams.map(({ name, stream }) => [`Analytics${name}NotMade`, rowsNotMade(stream)])),
    };
  }
}

/**
 * The share of Firehose's runs of the function that succeeded. A run fails if the function crashes, is throttled, or may not be run, or
 * if a key of the customer's is disabled. After three retries the events of the batch are below the error prefix.
 */
const rowsNotMade = (stream: DeliveryStream) => ({
  impact:
    'The function that makes rows of events fails, or Firehose may not run it. Questions leave out what came meanwhile; the tables are correct.',
  metric: stream.metric('ExecuteProcessing.Success', { ...fiveMinutes, statistic: 'Minimum' }),
  threshold: 1,
  below: true as const,
  section: 'Analytics rows not made',
});

const lakeBucket = (
  scope: Construct,
  id: string,
  deploymentContext: DeploymentContext,
  retentionDays: number,
): Bucket =>
  privateBucket(scope, id, {
    deploymentContext,
    retention: [
      ...keysOf(tables).map((table) => ({ prefix: prefixOf(table), days: retentionDays })),
      { prefix: errorPrefix, days: errorDays },
      { prefix: resultPrefix, days: resultDays },
    ],
    whyNoAccessLogs:
      'Rows have no personal fields. CloudTrail can record who reads them, and Athena lists who asked what.',
  });
