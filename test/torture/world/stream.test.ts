import type { DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { callsTable, quarantineTable } from '../../../lib/contract/tables.ts';
import type { Outcome } from '../../../torture/world/instance.ts';
import { createStreams } from '../../../torture/world/stream.ts';

const change = (pk: string, number: number, kind = 'call') => ({
  table: 'calls',
  keys: { pk: { S: pk }, sk: { S: 's' } },
  before: undefined,
  after: { pk: { S: pk }, sk: { S: 's' }, kind: { S: kind }, number: { N: String(number) } },
});

/** Streams with these changes, and what was handed over. */
const streamOf = (...changes: readonly ReturnType<typeof change>[]) => {
  const streams = createStreams({ calls: callsTable, quarantine: quarantineTable });
  for (const each of changes) streams.append(each);
  const batches: string[][] = [];
  const numbers = ({ Records }: DynamoDBStreamEvent) =>
    Records.map(({ dynamodb }) => dynamodb?.NewImage?.['number']?.N ?? '');

  const deliver = async (batchSize: number, answer: (event: DynamoDBStreamEvent) => Outcome<unknown>) => {
    for (const lane of streams.waiting())
      await streams.deliver(lane, batchSize, async (event) => {
        batches.push(numbers(event));
        return answer(event);
      });
  };
  return { streams, batches, deliver };
};

const answered = (...failed: readonly (string | undefined)[]): Outcome<unknown> => ({
  kind: 'answered',
  answer: { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) },
});

describe('a stream', () => {
  it('hands over a key’s changes in their order, in batches, until none waits', async () => {
    const { streams, batches, deliver } = streamOf(change('a', 1), change('a', 2), change('a', 3));
    await deliver(2, () => answered());
    await deliver(2, () => answered());

    expect(batches).toEqual([['1', '2'], ['3']]);
    expect(streams.waiting()).toEqual([]);
  });

  it('keeps kinds that are not published, and rows that go, to itself', () => {
    const { streams } = streamOf(change('a', 1, 'agent-entry'));
    streams.append({ ...change('a', 2), before: change('a', 2).after, after: undefined as never });
    streams.append({ ...change('a', 3), table: 'quarantine' });

    expect(streams.waiting()).toEqual([]);
  });

  it('repeats from the first that failed, and what followed it', async () => {
    const { batches, deliver } = streamOf(change('a', 1), change('a', 2), change('a', 3));
    await deliver(10, ({ Records }) => answered(Records[1]?.dynamodb?.SequenceNumber));
    await deliver(10, () => answered());

    expect(batches).toEqual([
      ['1', '2', '3'],
      ['2', '3'],
    ]);
  });

  it('repeats all of a batch whose process died', async () => {
    const { batches, deliver } = streamOf(change('a', 1), change('a', 2));
    await deliver(10, () => ({ kind: 'died' }));
    await deliver(10, () => answered());

    expect(batches).toEqual([
      ['1', '2'],
      ['1', '2'],
    ]);
  });

  it('has several lanes, and always the same one for a key', () => {
    const { streams } = streamOf(...Array.from({ length: 20 }, (_, index) => change(`key-${index}`, index)));
    const lanes = streams.waiting().length;
    for (let index = 0; index < 20; index++) streams.append(change(`key-${index}`, index));

    expect(lanes).toBeGreaterThan(1);
    expect(streams.waiting()).toHaveLength(lanes);
  });

  it('takes records of a real stream as they are', async () => {
    const { streams, batches, deliver } = streamOf();
    const { keys: Keys, after: NewImage } = change('a', 7);
    streams.take('calls', { dynamodb: { Keys, NewImage, SequenceNumber: '000000000000000000009' } });
    await deliver(10, ({ Records }) => answered(...Records.map(({ dynamodb }) => dynamodb?.SequenceNumber)));

    expect(batches).toEqual([['7']]);
    expect(streams.waiting()).toHaveLength(1);
  });
});
