import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { EventField, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import { maxRecordingReceives, recordingMetrics } from '../../functions/archive-recordings/archive-recordings.ts';
import type { archiveRecordingsEnv } from '../../functions/archive-recordings/environment.ts';
import type { EventType } from '../../lib/contract/events.ts';
import type { RecordingMessage } from '../../lib/recordings/schema.ts';
import { eventSource } from '../../lib/storage/event.ts';
import type { PersonalFields } from '../../lib/storage/rows.ts';
import { BusRule } from './bus-rule.ts';
import type { Core, Outputs } from './deployment-context.ts';
import { queueWithDeadLetters, serveQueue } from './event-sources.ts';
import { type Alarms, callfeedMetric, delayed, untaken, waitingIn } from './monitoring.ts';
import { allowBucket, ServiceFunction } from './service-function.ts';
import { privateBucket } from './storage.ts';

/** Copies the recordings of calls into a bucket of the deployment: by the calls' events, through a queue. */
export class ArchiveRecordings extends Construct {
  readonly service: ServiceFunction;
  readonly bucket: Bucket;
  /** One message for each event of a call that may have recordings. */
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly alarms: Alarms;
  readonly outputs: Outputs;

  constructor(scope: Construct, id: string, core: Core) {
    super(scope, id);

    const { deploymentContext, calls, bus, settings } = core;
    // Messages are an account's name and a call's id; what EventBridge cannot send becomes a dead letter as a whole event. It
    // could not send to a queue with a key of the customer's, unless the key's owner let it.
    const withoutKey = { ...deploymentContext, encryptionKey: undefined };
    const { queue, deadLetters } = queueWithDeadLetters(this, withoutKey, {
      consumer: 'archive-recordings',
      maxReceiveCount: maxRecordingReceives,
    });
    this.queue = queue;
    this.deadLetters = deadLetters;
    const bucket = privateBucket(this, 'Bucket', deploymentContext, {
      retention: [{ days: settings.recordingRetentionDays ?? settings.callRetentionDays }],
      whyNoAccessLogs:
        'Logs would need a bucket of their own. CloudTrail records who reads the objects, where it is switched on.',
    });
    this.bucket = bucket;

    this.service = new ServiceFunction(this, 'Service', {
      core,
      name: 'archive-recordings',
      encryptedIn: ['dynamodb', 's3'],
      description: 'Copies the recordings of calls into a bucket.',
      environment: {
        CALLS_TABLE: calls.tableName,
        RECORDINGS_BUCKET: bucket.bucketName,
        RECORDINGS_QUEUE_URL: queue.queueUrl,
        RECORDINGS_DEAD_LETTERS_URL: deadLetters.queueUrl,
        RECORDING_HOSTS: settings.recordingHosts.join(','),
      } satisfies VariablesOf<typeof archiveRecordingsEnv>,
    });
    const { service } = this;
    service.allow(calls.tableArn, 'Reads a call, and what became of its recordings.', 'dynamodb:Query');
    service.allow(calls.tableArn, 'Notes what becomes of a recording.', 'dynamodb:PutItem');
    service.allow(queue.queueArn, 'Waits longer after each failed attempt.', 'sqs:ChangeMessageVisibility');
    service.allow(deadLetters.queueArn, 'Says why a recording was given up.', 'sqs:SendMessage');
    allowBucket(
      service,
      bucket,
      ['Stores recordings.', 's3:PutObject', 's3:AbortMultipartUpload'],
      ['Describes an object that an earlier run has stored.', 's3:GetObject'],
      ['Deletes the recordings of a person who was erased.', 's3:DeleteObject'],
    );
    serveQueue(service, { consumer: 'archive-recordings', queue, maxConcurrency: settings.recordingConcurrency });

    const call: RecordingMessage = {
      account: EventField.fromPath('$.detail.account'),
      callId: EventField.fromPath('$.detail.callId'),
    };
    const types: EventType[] = ['Call Summary Recorded', 'Call Summary Revised', 'Call Participant Recorded'];
    new BusRule(this, 'Rule', {
      bus,
      description: 'Callfeed: calls whose recordings are to be archived.',
      eventPattern: { source: [eventSource], detailType: types, ...withRecordings(settings.personalFieldsInEvents) },
      target: new SqsQueue(queue, { message: RuleTargetInput.fromObject(call), deadLetterQueue: deadLetters }),
    });

    this.outputs = {
      RecordingsBucketName: [bucket.bucketName, 'Bucket of the archived recordings.'],
      RecordingsQueueUrl: [queue.queueUrl, 'Queue of calls whose recordings are to be archived.'],
      RecordingsDeadLettersUrl: [
        deadLetters.queueUrl,
        'Dead-letter queue of recordings that were given up, each with the reason.',
      ],
    };
    this.alarms = {
      RecordingsFail: {
        impact:
          'For an hour no recording could be archived. They are asked for for two days, but their links may expire before.',
        first: 'dead-letters list recordings',
        // How often recordings were asked for in vain in an hour in which none was archived. Both metrics are emitted together.
        metric: new MathExpression({
          expression: 'IF(archived < 1, failed, 0)',
          usingMetrics: {
            failed: callfeedMetric(deploymentContext, recordingMetrics.failed),
            archived: callfeedMetric(deploymentContext, recordingMetrics.archived),
          },
          label: 'Nothing archived',
          period: Duration.hours(1),
        }),
        // One recording that is not there is asked for six times in its first hour.
        threshold: 10,
      },
      RecordingsLate: {
        impact:
          'Recordings wait for more than a quarter of an hour before they are asked for. More may come than can be fetched, and their ' +
          'links may expire meanwhile.',
        ...delayed(deploymentContext, recordingMetrics.delay),
      },
      RecordingsStopped: {
        impact:
          'For half an hour recordings have waited, and none has been asked for. Their links may expire meanwhile, and SQS deletes ' +
          'what waits after 14 days.',
        ...untaken(queue),
      },
      RecordingsGivenUp: {
        impact:
          'Recordings are not archived and are not asked for any more. The service may delete them in some months.',
        first: 'dead-letters list recordings',
        metric: waitingIn(deadLetters),
      },
    };
  }
}

/** Events that leave out personal fields have no recordings. Then every event of a call makes a message. */
const withRecordings = (personalFields: PersonalFields) => {
  if (personalFields === 'leave-out') return {};

  const exists = [{ exists: true }];
  const ofCall = [{ call: { recordings: exists } }, { call: { conferenceRecordings: exists } }];
  return { detail: { $or: [...ofCall, { participant: { recordings: exists } }] } };
};
