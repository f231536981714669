import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { agentsTable, callsTable, type Table } from '../lib/contract/tables.ts';
import type { Closers } from './closers.ts';
import type { Telling } from './console/telling.ts';
import type { DataFiles } from './disk/data-files.ts';
import type { Functions } from './load-functions.ts';
import { localClient } from './local-client.ts';
import { pause } from './pause.ts';
import { startQueueReader } from './queue/queue-reader.ts';
import type { Queues } from './start-queues.ts';
import type { Store } from './start-store.ts';
import { createCheckpoints } from './stream/checkpoints.ts';
import { publishedOnly } from './stream/published.ts';
import { startStreamReader } from './stream/stream-reader.ts';
import type { Tally } from './tally.ts';

/** How long, at the end, what is still in a stream may take to be published. */
const drainMilliseconds = 2_000;

/** How long, at the end, a poll may take that is under way. */
const pollMilliseconds = 2_000;

/**
 * Starts what plays Lambda's event source mappings: changes of either table go to `publish`, parked callbacks to
 * `recover`, ticks to `poll`.
 */
export const startReaders = (
  { store, queues, files }: { readonly store: Store; readonly queues: Queues; readonly files: DataFiles },
  { publish, recover, poll }: Pick<Functions, 'publish' | 'recover' | 'poll'>,
  { telling, tally }: { readonly telling: Telling; readonly tally: Tally },
  closers: Closers,
): void => {
  const client = new DynamoDBStreamsClient(localClient(store.url));
  closers.add(() => client.destroy());

  const readStream = (arn: string, { published }: Table, checkpoints: string | undefined): void => {
    const stream = startStreamReader({
      stream: { client, arn },
      checkpoints: createCheckpoints(checkpoints),
      invoke: publishedOnly(published, publish),
      onFailure(records) {
        tally.add('publishRetries', 1);
        telling.publishRetry(records);
      },
    });
    closers.add(() => stream.stop(drainMilliseconds));
  };
  readStream(store.streamArns.calls, callsTable, files.checkpoints);
  readStream(store.streamArns.agents, agentsTable, files.agentCheckpoints);

  const parked = startQueueReader(queues.parking, recover, ({ succeeded, failed }) => {
    tally.add('recovered', succeeded);
    tally.add('recoveryRetries', failed);
    telling.recovered(succeeded, failed);
  });
  closers.add(parked.stop);

  const ticks = startQueueReader(queues.ticks, poll, ({ succeeded, failed }) => {
    tally.add('ticksServed', succeeded);
    tally.add('ticksRetried', failed);
    if (failed > 0) telling.pollFailed();
  });
  closers.add(() => Promise.race([ticks.stop(), pause(pollMilliseconds, new AbortController().signal)]));
};
