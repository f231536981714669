import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { publishedOnly } from '../../../sandbox/stream/published.ts';

const change = (kind: string | undefined, SequenceNumber: string): DynamoDBRecord => ({
  dynamodb: { SequenceNumber, ...(kind !== undefined && { NewImage: { kind: { S: kind } } }) },
});

describe('publishedOnly', () => {
  it('hands on rows of the published kinds, in their order, and no removals', async () => {
    const handed: (string | undefined)[] = [];
    const invoke = publishedOnly(['agent', 'feed-change'], async ({ Records }) => {
      handed.push(...Records.map(({ dynamodb }) => dynamodb?.SequenceNumber));
      return { batchItemFailures: [{ itemIdentifier: '4' }] };
    });

    const answer = await invoke({
      Records: [change('feed', '1'), change('agent', '2'), change(undefined, '3'), change('feed-change', '4')],
    });

    expect(handed).toEqual(['2', '4']);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '4' }] });
  });

  it('calls nobody for a batch of which nothing is published', async () => {
    const invoke = publishedOnly(['agent'], async () => {
      throw new Error('nobody is to be called');
    });

    expect(await invoke({ Records: [change('feed', '1')] })).toEqual({ batchItemFailures: [] });
  });
});
