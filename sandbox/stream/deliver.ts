import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { pause } from '../closers.ts';
import { failedItems } from '../lambda/runtime.ts';

/** Calls a function with a batch of changes. */
export type InvokeWithRecords = (event: DynamoDBStreamEvent) => Promise<unknown>;

/** How batches are handed over. `onFailure` is told how many records are tried again. */
export interface BatchDelivery {
  readonly invoke: InvokeWithRecords;
  readonly onFailure: (records: number) => void;
  /** Gives up trying. */
  readonly signal: AbortSignal;
}

const firstRetryMilliseconds = 50;
const maxRetryMilliseconds = 1_000;

const sequenceOf = (record: DynamoDBRecord): string => record.dynamodb?.SequenceNumber ?? '';

/** How many records from the start were handled: all those before the first that failed. */
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
 * Hands over a batch until all of it is handled, as Lambda does: from the first failed record again, ever slower, and
 * without end, so that order is kept. `onHandled` is told the last handled sequence number after each call.
 */
export const deliver = async (
  records: readonly DynamoDBRecord[],
  { invoke, onFailure, signal }: BatchDelivery,
  onHandled: (sequenceNumber: string) => void,
): Promise<void> => {
  let left = records;
  let retryMilliseconds = firstRetryMilliseconds;

  while (left.length > 0 && !signal.aborted) {
    const handled = await countHandled(left, invoke);
    const last = left[handled - 1];
    if (last !== undefined) onHandled(sequenceOf(last));

    left = left.slice(handled);
    if (left.length === 0) return;

    onFailure(left.length);
    retryMilliseconds = last === undefined ? retryMilliseconds : firstRetryMilliseconds;
    await pause(retryMilliseconds, signal);
    retryMilliseconds = Math.min(2 * retryMilliseconds, maxRetryMilliseconds);
  }
};

/** Hands on only rows of the kinds that are published, as the filter on the deployed event source does. */
export const filterPublished =
  (kinds: readonly string[], invoke: InvokeWithRecords): InvokeWithRecords =>
  async ({ Records }) => {
    const published = Records.filter((record) => kinds.includes(kindOf(record)));
    return published.length === 0 ? { batchItemFailures: [] } : invoke({ Records: published });
  };

const kindOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.NewImage?.['kind']?.S ?? '';
