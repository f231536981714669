import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { FunctionName } from '../../functions/timeouts.ts';
import { recordingKind } from '../../lib/recordings/schema.ts';
import { agentsTable, callsTable, type Table } from '../../lib/storage/tables.ts';
import { within } from '../clock.ts';
import type { Closers } from '../closers.ts';
import type { Monitors } from '../counters.ts';
import type { DataFiles } from '../data-files.ts';
import type { Store } from '../dynamodb/start-store.ts';
import { localClient } from '../local-aws.ts';
import { type BatchOutcome, startQueueReader } from '../queue/queue-reader.ts';
import type { Queues } from '../queue/start-queues.ts';
import { filterPublished } from '../stream/deliver.ts';
import { createCheckpoints, startStreamReader } from '../stream/stream-reader.ts';
import { applyEnvironment, type FunctionSettings, functionEnvironment } from './function-environment.ts';
import { captureFunctionOutput, type Invoke, loadFunction, type OnFunctionOutput } from './runtime.ts';

/** The deployed functions. */
export interface Functions {
  /** A function. A call before all are loaded waits until then. */
  use(name: FunctionName): Invoke;
  /** Loads the functions in use, with the environment for these settings. */
  load(settings: FunctionSettings): Promise<void>;
}

/**
 * Prepares the deployed functions. Their output goes to `onOutput`. At the end the environment is restored; this is
 * added to `closers` first, as functions may read the environment as long as they run.
 */
export const prepareFunctions = (folder: URL, onOutput: OnFunctionOutput, closers: Closers): Functions => {
  const output = captureFunctionOutput(onOutput);
  closers.add(output.release);

  let restoreEnvironment = (): void => undefined;
  closers.add(() => restoreEnvironment());

  const hasEnvironment = Promise.withResolvers<void>();
  const loading: Promise<Invoke>[] = [];
  return {
    use(name) {
      const loaded = hasEnvironment.promise.then(() => loadFunction(folder, name, output));
      loaded.catch(() => undefined);
      loading.push(loaded);
      return async (event) => (await loaded)(event);
    },
    async load(settings) {
      restoreEnvironment = applyEnvironment(functionEnvironment(settings));
      hasEnvironment.resolve();
      await Promise.all(loading);
    },
  };
};

/** How long the last changes in a stream may take to be published when the sandbox stops. */
const drainMilliseconds = 2_000;

/** As deployed, one message at a time: a later one of a call waits until the one before has been accepted. */
const forwardingBatch = 1;

/** As deployed. Those that run at once are fewer here: one. */
const archivingBatch = 1;

/** How long a running poll, or a step of reconciliation, may take when the sandbox stops. */
const stepMilliseconds = 2_000;

/** What is read, and whether forwarding and archiving read it too. */
interface ReadParts {
  readonly store: Store;
  readonly queues: Queues;
  readonly files: DataFiles;
  readonly isForwarding: boolean;
  /** Whether recordings are archived. */
  readonly isArchiving: boolean;
}

/**
 * Starts the emulated event source mappings of Lambda: changes of both tables are published, parked callbacks recovered,
 * ticks polled, and the steps of reconciliation run. Deliveries are forwarded and recordings archived where that is switched on.
 */
export const startReaders = (
  { store, queues, files, isForwarding, isArchiving }: ReadParts,
  { use }: Pick<Functions, 'use'>,
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

  const publish = use('publish-changes');
  const readStream = (
    arn: string,
    { published }: Pick<Table, 'published'>,
    checkpoints: string | undefined,
    invoke = publish,
  ): void => {
    const stream = startStreamReader({
      stream: { client, arn },
      checkpoints: createCheckpoints(checkpoints),
      invoke: filterPublished(published, invoke),
      onFailure(records) {
        if (invoke !== publish) return;
        counters.add('publishRetries', 1);
        consoleLog.publishRetry(records);
      },
    });
    closers.add(() => stream.stop(leftToDrain));
  };
  const published = isArchiving ? [...callsTable.published, recordingKind] : callsTable.published;
  readStream(store.streamArns.calls, { published }, files.checkpoints);
  readStream(store.streamArns.agents, agentsTable, files.agentCheckpoints);

  const parked = startQueueReader(queues.parking, use('recover-callbacks'), ({ succeeded, failed }) => {
    counters.add('recovered', succeeded);
    counters.add('recoveryRetries', failed);
    consoleLog.recovered(succeeded, failed, queues.parking.messages().length);
  });
  closers.add(parked.stop);

  if (isForwarding) {
    const forward = use('forward-deliveries');
    readStream(store.streamArns.calls, callsTable, files.forwardingCheckpoints, forward);
    const onForwarded = ({ succeeded, failed }: BatchOutcome): void => {
      counters.add('forwarded', succeeded);
      counters.add('forwardRetries', failed);
      consoleLog.forwarded(failed > 0);
    };
    const { stop } = startQueueReader(queues.forwarding, forward, onForwarded, forwardingBatch);
    closers.add(async () => {
      await within(stepMilliseconds, stop());
    });
  }

  if (isArchiving) {
    const onArchived = ({ succeeded, failed }: BatchOutcome): void => {
      counters.add('recordingMessages', succeeded);
      counters.add('recordingRetries', failed);
    };
    const { stop } = startQueueReader(queues.recordings, use('archive-recordings'), onArchived, archivingBatch);
    closers.add(async () => {
      await within(stepMilliseconds, stop());
    });
  }

  const onPolled = ({ succeeded, failed }: BatchOutcome): void => {
    counters.add('ticksProcessed', succeeded);
    counters.add('ticksRetried', failed);
    consoleLog.polled(failed > 0);
  };
  const onStep = ({ succeeded, failed }: BatchOutcome): void => {
    counters.add('reconciliationSteps', succeeded);
    counters.add('reconciliationRetries', failed);
    consoleLog.reportStep(failed > 0);
  };
  for (const { stop } of [
    startQueueReader(queues.ticks, use('poll-agents'), onPolled),
    startQueueReader(queues.reconciliation, use('reconcile-calls'), onStep),
  ])
    closers.add(async () => {
      await within(stepMilliseconds, stop());
    });
};
