import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { createTables } from '../../../sandbox/dynamodb/create-tables.ts';
import { localClient } from '../../../sandbox/local-aws.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { startAwsEndpoint } from '../aws/aws-endpoint.ts';
import type { RecordedRequest } from '../aws/services.ts';
import { sum } from '../costs/counts.ts';
import { streamRecords } from '../costs/publisher.ts';
import { callbacks } from '../examples.ts';
import { type LambdaProcess, startLambda } from '../lambda/lambda-process.ts';
import { type BundledFunction, type BundledPeer, peerSecret } from './peers.ts';

/** What one callback needs of AWS. */
export interface Work {
  readonly callsBeforeReply: number;
  /** Including those of the publisher, which runs after the reply. */
  readonly calls: number;
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
  readonly events: number;
}

/** What each kind of callback needs: a new call, the same once more, and the call with its disposition. */
export type CountedWork = Readonly<Record<'first' | 'repeat' | 'revision', Work>>;

const Accepted = z.object({ statusCode: z.literal(200) });
const Published = z.object({ batchItemFailures: z.array(z.unknown()).max(0) });

/** Counts the requests of a peer's functions to AWS, with empty tables in a running DynamoDB Local. */
export const countWork = async (
  { deployment: { tables }, receiver, publisher }: BundledPeer,
  dynamodbUrl: string,
): Promise<CountedWork> => {
  const client = new DynamoDBClient(localClient(dynamodbUrl));
  await createTables(client, tables).finally(() => client.destroy());
  const aws = await startAwsEndpoint({ dynamodb: { endpoint: dynamodbUrl, tables }, secret: peerSecret });
  const start = ({ folder, environment }: BundledFunction) =>
    startLambda({ folder, environment: environment(aws.url) });
  const receiving = await start(receiver);
  const publishing = publisher && (await start(publisher));

  const post = async (data: string): Promise<Work> => {
    await invoke(receiving, httpApiEvent({ body: formOf(data) }), Accepted);
    const before = aws.takeRequests();
    const Records = streamRecords(before.flatMap(({ writes }) => writes));
    if (publishing !== undefined && Records.length > 0) await invoke(publishing, { Records }, Published);
    return workOf(before, aws.takeRequests());
  };

  try {
    // The first call reads the secret, which is cached from then on.
    await post(callbacks.another);
    return {
      first: await post(callbacks.first),
      repeat: await post(callbacks.first),
      revision: await post(callbacks.revision),
    };
  } finally {
    await Promise.all([receiving.stop(), publishing?.stop()]);
    await aws.close();
  }
};

const invoke = async (lambda: LambdaProcess, event: unknown, expected: z.ZodType): Promise<void> => {
  const { result, error } = await lambda.invoke(event);
  if (error !== undefined || !expected.safeParse(result).success)
    throw new Error(`A function did not do its work: ${JSON.stringify(error ?? result)}`);
};

const workOf = (before: readonly RecordedRequest[], after: readonly RecordedRequest[]): Work => {
  const all = [...before, ...after];
  const { tableWriteUnits, indexWriteUnits, events } = sum(...all.map(({ counts }) => [1, counts] as const));
  return {
    callsBeforeReply: before.length,
    calls: all.length,
    writeUnits: tableWriteUnits + indexWriteUnits,
    indexWriteUnits,
    events,
  };
};
