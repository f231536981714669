import type { DynamoDBRecord } from 'aws-lambda';
import type { InvokeWithRecords } from './deliver.ts';

/** Hands on only rows of the kinds that are published, as the filter on the deployed event source does. */
export const publishedOnly =
  (kinds: readonly string[], invoke: InvokeWithRecords): InvokeWithRecords =>
  async ({ Records }) => {
    const published = Records.filter((record) => kinds.includes(kindOf(record)));
    return published.length === 0 ? { batchItemFailures: [] } : invoke({ Records: published });
  };

const kindOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.NewImage?.['kind']?.S ?? '';
