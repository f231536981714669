import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { createTables } from '../../sandbox/dynamodb/start-store.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import { formOf, httpApiEvent } from '../../test/support/local-servers.ts';
import type { RecordedRequest } from '../aws/aws-endpoint.ts';
import type { LambdaProcess } from '../lambda/lambda-process.ts';
import { total } from '../meter/counts.ts';
import { streamRecords } from '../meter/row-writes.ts';
import { callbacks, justEnded } from '../sample-posts.ts';
import type { BundledPeer } from './peers.ts';
import { startPeer } from './start-peer.ts';

export interface Work {
  readonly callsBeforeReply: number;
  /** All calls to AWS. The publisher makes some of them, after the reply. */
  readonly calls: number;
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
  readonly events: number;
}

/** What each kind of callback needs: a new call, the same once more, and the call with its disposition. */
export type CountedWork = Readonly<Record<'first' | 'repeat' | 'revision', Work>>;

const Accepted = z.object({ statusCode: z.literal(200) });
const Published = z.object({ batchItemFailures: z.array(z.unknown()).max(0) });

/** The peers' account is in India: UTC +5:30. */
const indiaAheadMs = 5.5 * 3_600_000;

/** Counts the requests of a peer's functions to AWS, with empty tables in a running DynamoDB Local. */
export const countWork = async (peer: BundledPeer, dynamodbUrl: string): Promise<CountedWork> => {
  const { tables } = peer.deployment;
  const client = new DynamoDBClient(localClient(dynamodbUrl));
  await createTables(client, tables).finally(() => client.destroy());
  const { aws, receiving, publishing, stop } = await startPeer(peer, { endpoint: dynamodbUrl, tables });

  const localNow = new Date(Date.now() + indiaAheadMs);
  const post = async (data: string): Promise<Work> => {
    const receiver = { name: 'receiver', lambda: receiving, expected: Accepted } as const;
    await invokeExpecting(receiver, httpApiEvent({ body: formOf(justEnded(data, localNow)) }));
    const beforeReply = aws.takeRequests();
    const Records = streamRecords(beforeReply.flatMap(({ writes }) => writes));
    if (publishing !== undefined && Records.length > 0)
      await invokeExpecting({ name: 'publisher', lambda: publishing, expected: Published }, { Records });
    const afterReply = aws.takeRequests();
    return workOf(beforeReply, afterReply);
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
    await stop();
  }
};

interface Expecting {
  readonly name: 'receiver' | 'publisher';
  readonly lambda: LambdaProcess;
  readonly expected: z.ZodType;
}

const invokeExpecting = async ({ name, lambda, expected }: Expecting, event: unknown): Promise<void> => {
  const { result, error } = await lambda.invoke(event);
  if (error !== undefined || !expected.safeParse(result).success)
    throw new Error(`The ${name} did not do its work: ${JSON.stringify(error ?? result)}`);
};

const workOf = (beforeReply: readonly RecordedRequest[], afterReply: readonly RecordedRequest[]): Work => {
  const all = [...beforeReply, ...afterReply];
  const { tableWriteUnits, indexWriteUnits, events } = total(all.map(({ counts }) => counts));
  return {
    callsBeforeReply: beforeReply.length,
    calls: all.length,
    writeUnits: tableWriteUnits + indexWriteUnits,
    indexWriteUnits,
    events,
  };
};
