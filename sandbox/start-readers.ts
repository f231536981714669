import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Closers } from './closers.ts';
import type { Telling } from './console/telling.ts';
import type { DataFiles } from './disk/data-files.ts';
import type { Invoke } from './functions-host/load-function.ts';
import { localClient } from './local-client.ts';
import { startQueueReader } from './queue/queue-reader.ts';
import type { Queues } from './start-queues.ts';
import type { Store } from './start-store.ts';
import { createCheckpoints } from './stream/checkpoints.ts';
import { startStreamReader } from './stream/stream-reader.ts';
import type { Tally } from './tally.ts';

/** How long, at the end, what is still in the stream may take to be published. */
const drainMilliseconds = 2_000;

/** Starts what plays Lambda's event source mappings: changes go to `publish`, parked callbacks to `recover`. */
export const startReaders = (
  { store, queues, files }: { readonly store: Store; readonly queues: Queues; readonly files: DataFiles },
  { publish, recover }: { readonly publish: Invoke; readonly recover: Invoke },
  { telling, tally }: { readonly telling: Telling; readonly tally: Tally },
  closers: Closers,
): void => {
  const client = new DynamoDBStreamsClient(localClient(store.url));
  closers.add(() => client.destroy());

  const stream = startStreamReader({
    stream: { client, arn: store.streamArn },
    checkpoints: createCheckpoints(files.checkpoints),
    invoke: publish,
    onFailure(records) {
      tally.add('publishRetries', 1);
      telling.publishRetry(records);
    },
  });
  closers.add(() => stream.stop(drainMilliseconds));

  const queue = startQueueReader(queues.parking, recover, ({ succeeded, failed }) => {
    tally.add('recovered', succeeded);
    tally.add('recoveryRetries', failed);
    telling.recovered(succeeded, failed);
  });
  closers.add(queue.stop);
};
