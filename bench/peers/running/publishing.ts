import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { deliver } from '../../../sandbox/stream/deliver.ts';
import { publishedOnly } from '../../../sandbox/stream/published.ts';
import { startLambda } from '../../lambda/start-lambda.ts';
import type { BundledPeer } from '../bundled-peers.ts';
import { openTableStream } from './table-stream.ts';

/** What follows a reply. */
export interface Publishing {
  /** Resolves once everything that was written so far is published. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

const longestMs = 20_000;

/** Nothing follows where the event comes from the receiver itself. */
const noPublishing: Publishing = { catchUp: async () => undefined, stop: async () => undefined };

/** Runs the publisher of a peer on the stream of its table of calls, as Lambda would: until each change is handled. */
export const startPublishing = async (
  { deployment, publisher }: BundledPeer,
  { client, endpoint, awsUrl }: { readonly client: DynamoDBClient; readonly endpoint: string; readonly awsUrl: string },
  onOutput: (text: string) => void,
): Promise<Publishing> => {
  if (publisher === undefined) return noPublishing;
  const stream = await openTableStream(client, endpoint, deployment.callsTable);
  const { folder, environment } = publisher;
  const lambda = await startLambda({ folder, environment: environment(awsUrl), onOutput });
  const kinds = deployment.tables[deployment.callsTable]?.published ?? [];

  const invoke = publishedOnly(kinds, async (event) => {
    const { result, error } = await lambda.invoke(event);
    if (error === undefined) return result;
    onOutput(`${JSON.stringify(error)}\n`);
    throw new Error(error.errorMessage);
  });
  const publish = async () => {
    const signal = AbortSignal.timeout(longestMs);
    await deliver(await stream.changes(), { invoke, signal, onFailure: () => undefined }, () => undefined);
    if (signal.aborted) throw new Error('The publisher did not handle what was written');
  };
  // The stream has one reader, whoever asks.
  let last = Promise.resolve();
  return {
    catchUp() {
      last = last.then(publish);
      return last;
    },
    async stop() {
      stream.close();
      await lambda.stop();
    },
  };
};
