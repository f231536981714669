import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../sandbox/stream/deliver.ts';

const records = ['1', '2', '3'].map((SequenceNumber): DynamoDBRecord => ({ dynamodb: { SequenceNumber } }));
const sequencesOf = ({ Records }: DynamoDBStreamEvent) =>
  Records.map(({ dynamodb }) => dynamodb?.SequenceNumber).join('');
const failing = (...sequences: string[]) => ({
  batchItemFailures: sequences.map((itemIdentifier) => ({ itemIdentifier })),
});

const delivered = async (...answers: (() => unknown)[]) => {
  const calls: string[] = [];
  const checkpoints: string[] = [];
  const failures: number[] = [];
  const stopping = new AbortController();
  const invoke = async (event: DynamoDBStreamEvent) => {
    calls.push(sequencesOf(event));
    return answers.shift()?.();
  };
  const delivery = { invoke, onFailure: (left: number) => void failures.push(left), signal: stopping.signal };
  await deliver(records, delivery, (sequence) => checkpoints.push(sequence));

  return { calls, checkpoints, failures };
};

const nothing = () => undefined;
const fault = () => {
  throw new Error('no');
};

describe('deliver', () => {
  it.each([
    ['nothing', nothing],
    ['an empty list', () => failing()],
    ['null for a list', () => ({ batchItemFailures: null })],
  ])('hands a batch over once when the function answers %s', async (_what, answer) => {
    expect(await delivered(answer)).toEqual({ calls: ['123'], checkpoints: ['3'], failures: [] });
  });

  it('goes on from the first failed record, however the failures are ordered', async () => {
    expect(await delivered(() => failing('3', '2'))).toEqual({
      calls: ['123', '23'],
      checkpoints: ['1', '3'],
      failures: [2],
    });
  });

  it.each([
    ['throws', fault],
    ['reports the first record', () => failing('1')],
    ['reports a record that is not in the batch', () => failing('9')],
    ['answers something else', () => ({ batchItemFailures: 'all' })],
  ])('repeats the whole batch when the function %s', async (_what, answer) => {
    expect(await delivered(answer)).toEqual({ calls: ['123', '123'], checkpoints: ['3'], failures: [3] });
  });

  it('gives up when it is told to', async () => {
    const stopping = new AbortController();
    const invoke = async () => {
      stopping.abort();
      throw new Error('no');
    };

    await expect(
      deliver(records, { invoke, onFailure: nothing, signal: stopping.signal }, fault),
    ).resolves.toBeUndefined();
  });
});
