import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { pause } from '../clock.ts';
import { failedItems } from '../lambda/runtime.ts';

export type InvokeWithRecords = (event: DynamoDBStreamEvent) => Promise<unknown>;

export interface BatchDelivery {
  readonly invoke: InvokeWithRecords;
  readonly onFailure: (records: number) => void;
  readonly signal: AbortSignal;
}

const firstRetryMilliseconds = 50;
const maxRetryMilliseconds = 1_000;

const sequenceOf = (record: DynamoDBRecord): string => record.dynamodb?.SequenceNumber ?? '';

/** The number of records before the first one that failed. */
const countHandled = async (records: readonly DynamoDBRecord[], invoke: InvokeWithRecords): Promise<number> => {
  const sequences = records.map(sequenceOf);
  try {
    const failed = failedItems(await invoke({ Records: [...records] }), sequences);
    return failed.length === 0 ? records.length : Math.min(...failed.map((item) => sequences.indexOf(item)));
  } catch {
    return 0;
  }
};

/**
 * Delivers a batch until all of it is handled. As Lambda does, it retries from the first failed record, with growing
 * waits and without limit, so that the order is preserved. `onHandled` is called with the last handled sequence number.
 */
export const deliver = async (
  records: readonly DynamoDBRecord[],
  { invoke, onFailure, signal }: BatchDelivery,
  onHandled: (sequenceNumber: string) => void,
): Promise<void> => {
  let remaining = records;
  let retryMilliseconds = firstRetryMilliseconds;

  while (remaining.length > 0 && !signal.aborted) {
    const handled = await countHandled(remaining, invoke);
    const last = remaining[handled - 1];
    if (last !== undefined) onHandled(sequenceOf(last));

    remaining = remaining.slice(handled);
    if (remaining.length === 0) return;

    onFailure(remaining.length);
    retryMilliseconds = last === undefined ? retryMilliseconds : firstRetryMilliseconds;
    await pause(retryMilliseconds, signal);
    retryMilliseconds = Math.min(2 * retryMilliseconds, maxRetryMilliseconds);
  }
};

/** Passes on only rows of published kinds, as the filter of the deployed event source does. */
export const filterPublished =
  (kinds: readonly string[], invoke: InvokeWithRecords): InvokeWithRecords =>
  async ({ Records }) => {
    const published = Records.filter((record) => kinds.includes(kindOf(record)));
    return published.length === 0 ? { batchItemFailures: [] } : invoke({ Records: published });
  };

const kindOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.NewImage?.['kind']?.S ?? '';
