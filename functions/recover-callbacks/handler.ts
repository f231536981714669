import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { ParkedMessage } from '../../lib/recover-parked.ts';
import type { BufferedTelemetry } from '../adapters/json-telemetry.ts';

interface Services {
  readonly recover: (messages: readonly ParkedMessage[]) => Promise<readonly string[]>;
  readonly telemetry: BufferedTelemetry;
}

/** A batch of the parking queue in, recovery, and the messages that must come again out. */
export const createHandler = ({ recover, telemetry }: Services) =>
  middy<SQSEvent, SQSBatchResponse>({ requestEnd: telemetry.flush }).handler(async ({ Records }) => {
    const failed = await recover(Records.map(({ messageId, body }) => ({ id: messageId, body })));
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  });
