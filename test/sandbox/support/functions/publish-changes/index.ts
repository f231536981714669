import type { DynamoDBStreamEvent } from 'aws-lambda';

/** Writes the stream and the key of every change. */
export const handler = async ({ Records }: DynamoDBStreamEvent) => {
  for (const { eventSourceARN, dynamodb } of Records)
    process.stdout.write(`changed ${eventSourceARN} ${dynamodb?.Keys?.['pk']?.S}\n`);
};
