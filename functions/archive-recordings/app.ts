import { ChangeMessageVisibilityCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { tryParseJson } from '../../lib/core/json.ts';
import { loggableError } from '../../lib/core/result.ts';
import { RecordingMessage } from '../../lib/recordings/schema.ts';
import { secondsSince } from '../../lib/telemetry/metrics.ts';
import { storeDeadlineMs as deployedDeadlineMs, type PromptParts } from '../adapters/aws-clients.ts';
import { dynamoVersionedRows, queryRows } from '../adapters/dynamo-versioned-rows.ts';
import { runSettings } from '../adapters/json-telemetry.ts';
import { archiveRecordings, type RecordingBucket, recordingMetrics } from './archive-recordings.ts';
import type { ArchiveRecordingsEnv } from './environment.ts';
import { recordingLimits } from './fetch-recording.ts';

export interface ArchivingParts extends PromptParts<ArchiveRecordingsEnv> {
  readonly bucket: RecordingBucket;
  readonly sqs: Pick<SQSClient, 'send'>;
}

/** SQS hides a message for at most 12 hours. No pause of ours is longer. */
const longestHiddenSeconds = 12 * 3_600;

/** After a fault. The recording itself is asked for again when its row says so. */
const faultPauseSeconds = 60;

const neededMs = recordingLimits.wholeMs + 30_000;

/** After so many recordings of a call a run takes another call, so that one with many does not keep the others waiting. */
const recordingsPerRun = 10;

/** Archiving over these clients: one message is one call, whose recordings are copied as far as they are there. */
export const composeArchiving = (parts: ArchivingParts) => {
  const { env, clock, telemetry, dynamodb, sqs, bucket, storeDeadlineMs = deployedDeadlineMs } = parts;
  const deadline = () => AbortSignal.timeout(storeDeadlineMs);
  const rows = dynamoVersionedRows(dynamodb, env.CALLS_TABLE);
  const archiveFor = (context: Context) => {
    let begun = 0;
    return archiveRecordings({
      bucket,
      clock,
      telemetry,
      query: queryRows({ client: dynamodb, tableName: env.CALLS_TABLE, deadlineMs: storeDeadlineMs }),
      put: (row) => rows.putNextVersion(row, { puts: [], removes: [] }, deadline()),
      async sendDeadLetter(letter) {
        const message = { QueueUrl: env.RECORDINGS_DEAD_LETTERS_URL, MessageBody: JSON.stringify(letter) };
        await sqs.send(new SendMessageCommand(message), { abortSignal: deadline() });
      },
      hasTime: () => context.getRemainingTimeInMillis() > neededMs && begun++ < recordingsPerRun,
    });
  };

  /** Answers in how many seconds the message is to be received again; undefined if it is done. */
  const archive = async ({ body, attributes }: SQSRecord, context: Context): Promise<number | undefined> => {
    if (Number(attributes.ApproximateReceiveCount) === 1) {
      telemetry.measure(recordingMetrics.delay, secondsSince(Number(attributes.SentTimestamp), clock()));
      // Written now, because a run may take a quarter of an hour, and end at its time-out.
      telemetry.flush();
    }
    try {
      const { data } = RecordingMessage.safeParse(tryParseJson(body));
      if (data === undefined) throw loggableError('A message is unreadable');
      const askAgainAt = await archiveFor(context)(data);
      if (askAgainAt === undefined) return undefined;
      const seconds = Math.ceil((Date.parse(askAgainAt) - clock().getTime()) / 1000);
      return Math.min(longestHiddenSeconds, Math.max(1, seconds));
    } catch (error) {
      telemetry.fault('recordings', error);
      return faultPauseSeconds;
    }
  };

  return middy<SQSEvent, SQSBatchResponse>(runSettings(telemetry)).handler(async ({ Records }, context) => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const record of Records) {
      const VisibilityTimeout = await archive(record, context);
      if (VisibilityTimeout === undefined) continue;
      batchItemFailures.push({ itemIdentifier: record.messageId });
      const ReceiptHandle = record.receiptHandle;
      const command = { QueueUrl: env.RECORDINGS_QUEUE_URL, ReceiptHandle, VisibilityTimeout };
      // Without it the message waits for the queue's own time-out.
      await sqs
        .send(new ChangeMessageVisibilityCommand(command), { abortSignal: deadline() })
        .catch((error: unknown) => telemetry.fault('recordings', error));
    }
    return { batchItemFailures };
  });
};
