import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { ParkingLot } from '../../lib/ports.ts';
import { tellable } from '../../lib/tellable.ts';

/** SQS takes ten messages a call, and 1 MiB of them together. */
const maxEntries = 10;
const maxBytes = 1_000_000;

/** SendMessageBatch succeeds as a call while single messages fail, so each answer is looked at. */
export const sqsParking = (client: Pick<SQSClient, 'send'>, queueUrl: string, deadlineMs: number): ParkingLot => ({
  async park(parked) {
    const abortSignal = AbortSignal.timeout(deadlineMs);
    for (const batch of batchesOf(parked.map((item) => JSON.stringify(item)))) {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: batch.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
        }),
        { abortSignal },
      );
      if (Failed.length > 0) throw tellable(`The parking queue refused ${Failed.length} of ${batch.length} messages`);
    }
  },
});

const batchesOf = (bodies: readonly string[]): readonly (readonly string[])[] => {
  const batches: string[][] = [];
  for (const body of bodies) {
    const last = batches.at(-1);
    const bytes = [...(last ?? []), body].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (last !== undefined && last.length < maxEntries && bytes <= maxBytes) last.push(body);
    else batches.push([body]);
  }
  return batches;
};
