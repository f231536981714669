import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Parked } from '../../lib/callback/schema.ts';
import type { ParkingQueue } from '../../lib/callback/store-or-park.ts';
import { batches } from '../../lib/core/collections.ts';
import { loggableError } from '../../lib/core/result.ts';

/** SQS accepts ten messages a call, and 1 MiB of them together, counted in UTF-8. */
const maxEntries = 10;
const maxBytes = 1_000_000;

/**
 * The parking queue. Its client is made when it is needed, as few callbacks are parked. SendMessageBatch succeeds as a
 * call while single messages fail, so each answer is checked.
 */
export const sqsParking = (
  client: () => Pick<SQSClient, 'send'>,
  queueUrl: string,
  deadlineMs: number,
): ParkingQueue => ({
  async park(parked) {
    const abortSignal = AbortSignal.timeout(deadlineMs);
    const send = async (batch: readonly string[]) => {
      const Entries = batch.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
      const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries });
      const { Failed = [] } = await client().send(command, { abortSignal });
      if (Failed.length > 0)
        throw loggableError(`The parking queue rejected ${Failed.length} of ${batch.length} messages`);
    };
    await Promise.all(batches(parked.map(messageOf), fits).map(send));
  },
});

/** SQS accepts the characters of XML. JSON escapes all others except these two. */
const messageOf = (item: Parked): string =>
  JSON.stringify(item).replace(/[\uFFFE\uFFFF]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);

const fits = (batch: readonly string[], next: string): boolean =>
  batch.length < maxEntries && [...batch, next].reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= maxBytes;
