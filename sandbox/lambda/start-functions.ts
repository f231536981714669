import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { FunctionName } from '../../functions/timeouts.ts';
import { recordingKind } from '../../lib/recordings/schema.ts';
import { agentsTable, callsTable } from '../../lib/storage/tables.ts';
import { within } from '../clock.ts';
import type { Closers } from '../closers.ts';
import type { Counted, Monitors } from '../counters.ts';
import type { DataFiles } from '../data-files.ts';
import type { Store } from '../dynamodb/start-store.ts';
import { localClient } from '../local-aws.ts';
import type { Queue } from '../queue/queue.ts';
import { type BatchOutcome, startQueueReader } from '../queue/queue-reader.ts';
import type { Queues } from '../queue/start-queues.ts';
import { filterPublished } from '../stream/deliver.ts';
import { createCheckpoints, startStreamReader } from '../stream/stream-reader.ts';
import { applyEnvironment, type FunctionSettings, functionEnvironment } from './function-environment.ts';
import { captureFunctionOutput, type Invoke, loadFunction, type OnFunctionOutput } from './runtime.ts';

/**
 * Prepares the deployed functions. Their output goes to `onOutput`. At the end the environment is restored; this is
 * added to `closers` first, as functions may read the environment as long as they run.
 */
export const prepareFunctions = (folder: URL, onOutput: OnFunctionOutput, closers: Closers) => {
  const output = captureFunctionOutput(onOutput);
  closers.add(output.release);

  let restoreEnvironment = (): void => undefined;
  closers.add(() => restoreEnvironment());

  const hasEnvironment = Promise.withResolvers<void>();
  const loading: Promise<Invoke>[] = [];
  const inUse = new Map<FunctionName, Invoke>();
  return {
    /** A function. A call before all are loaded waits until then. */
    use(name: FunctionName): Invoke {
      const used = inUse.get(name);
      if (used !== undefined) return used;
      const loaded = hasEnvironment.promise.then(() => loadFunction(folder, name, output));
      loaded.catch(() => undefined);
      loading.push(loaded);
      const invoke: Invoke = async (event) => (await loaded)(event);
      inUse.set(name, invoke);
      return invoke;
    },
    async load(settings: FunctionSettings) {
      restoreEnvironment = applyEnvironment(functionEnvironment(settings));
      hasEnvironment.resolve();
      await Promise.all(loading);
    },
  };
};

/** How long the last changes in a stream may take to be published when the sandbox stops. */
const drainMilliseconds = 2_000;

/** How long a running batch of a queue may take when the sandbox stops. */
const stepMilliseconds = 2_000;

interface ReadParts {
  readonly store: Store;
  readonly queues: Queues;
  readonly files: DataFiles;
  readonly isArchiving: boolean;
}

/**
 * Starts the emulated event source mappings of Lambda: changes of both tables are published, parked callbacks recovered,
 * ticks polled, deliveries forwarded, and the steps of reconciliation run. Recordings are archived where that is switched on.
 */
export const startReaders = (
  { store, queues, files, isArchiving }: ReadParts,
  { use }: ReturnType<typeof prepareFunctions>,
  { consoleLog, counters }: Monitors,
  closers: Closers,
): void => {
  const client = new DynamoDBStreamsClient(localClient(store.url));
  closers.add(() => client.destroy());
  // Once DynamoDB Local is gone, nothing can be drained.
  let leftToDrain = drainMilliseconds;
  store.ended.then(() => {
    leftToDrain = 0;
  });

  const readStream = (
    arn: string,
    kinds: readonly string[],
    checkpoints: string | undefined,
    invoke: Invoke,
    onFailure: (records: number) => void,
  ): void => {
    const stream = startStreamReader({
      stream: { client, arn },
      checkpoints: createCheckpoints(checkpoints),
      invoke: filterPublished(kinds, invoke),
      onFailure,
    });
    closers.add(() => stream.stop(leftToDrain));
  };
  /** `counted` names the counters of messages that succeeded and that are retried. */
  const readQueue = (
    queue: Queue,
    name: FunctionName,
    counted: readonly [Counted, Counted],
    { onFailed = () => undefined, batchSize }: QueueReading = {},
  ): void => {
    const onOutcome = ({ succeeded, failed }: BatchOutcome): void => {
      counters.add(counted[0], succeeded);
      counters.add(counted[1], failed);
      onFailed(failed);
    };
    const { stop } = startQueueReader(queue, { name, invoke: use(name) }, onOutcome, batchSize);
    closers.add(async () => {
      await within(stepMilliseconds, stop());
    });
  };

  const publish = use('publish-changes');
  const onRetry = (records: number): void => {
    counters.add('publishRetries', 1);
    consoleLog.publishRetry(records);
  };
  const published = isArchiving ? [...callsTable.published, recordingKind] : callsTable.published;
  readStream(store.streamArns.calls, published, files.checkpoints, publish, onRetry);
  readStream(store.streamArns.agents, agentsTable.published, files.agentCheckpoints, publish, onRetry);

  // An account may get its first address while the sandbox runs.
  const { forwardingCheckpoints } = files;
  readStream(store.streamArns.calls, callsTable.published, forwardingCheckpoints, use('forward-deliveries'), ignore);

  readQueue(queues.parking, 'recover-callbacks', ['recovered', 'recoveryRetries'], {
    onFailed: (failed) => consoleLog.recovered(failed, queues.parking.messages().length),
  });
  readQueue(queues.forwarding, 'forward-deliveries', ['forwarded', 'forwardRetries'], {
    onFailed: (failed) => consoleLog.forwarded(failed > 0),
    // As deployed, one message at a time: a later one of a call waits until the one before has been accepted.
    batchSize: 1,
  });
  // As deployed, one message at a time. Those that run at once are fewer here: one.
  if (isArchiving)
    readQueue(queues.recordings, 'archive-recordings', ['recordingMessages', 'recordingRetries'], { batchSize: 1 });
  readQueue(queues.ticks, 'poll-agents', ['ticksProcessed', 'ticksRetried'], {
    onFailed: (failed) => consoleLog.polled(failed > 0),
  });
  readQueue(queues.reconciliation, 'reconcile-calls', ['reconciliationSteps', 'reconciliationRetries'], {
    onFailed: (failed) => consoleLog.reportStep(failed > 0),
  });
};

const ignore = (): void => undefined;

interface QueueReading {
  readonly onFailed?: (failed: number) => void;
  readonly batchSize?: number;
}
