import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { FunctionName } from '../../functions/timeouts.ts';
import { agentsTable, callsTable, type Table } from '../../lib/storage/tables.ts';
import { type Closers, pause } from '../closers.ts';
import type { ConsoleLog } from '../console-log.ts';
import type { Counters } from '../counters.ts';
import type { DataFiles } from '../data-files.ts';
import type { Store } from '../dynamodb/start-store.ts';
import { localClient } from '../local-aws.ts';
import { startQueueReader } from '../queue/queue-reader.ts';
import type { Queues } from '../queue/start-queues.ts';
import { filterPublished } from '../stream/deliver.ts';
import { createCheckpoints, startStreamReader } from '../stream/stream-reader.ts';
import { applyEnvironment, type FunctionSettings, functionEnvironment } from './function-environment.ts';
import { captureFunctionOutput, type OnFunctionOutput } from './function-output.ts';
import { type Invoke, loadFunction } from './runtime.ts';

/** The functions. A call before they are loaded waits until they are. */
export interface Functions {
  readonly receive: Invoke;
  readonly publish: Invoke;
  readonly recover: Invoke;
  readonly poll: Invoke;
  readonly reconcile: Invoke;
  /** Loads all functions with the environment for these settings. */
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

  const loaded = Promise.withResolvers<Readonly<Record<FunctionName, Invoke>>>();
  loaded.promise.catch(() => undefined);
  const call =
    (name: FunctionName): Invoke =>
    async (event) =>
      (await loaded.promise)[name](event);

  return {
    receive: call('receive-callback'),
    publish: call('publish-changes'),
    recover: call('recover-callbacks'),
    poll: call('poll-agents'),
    reconcile: call('reconcile-calls'),
    async load(settings) {
      restoreEnvironment = applyEnvironment(functionEnvironment(settings));
      const all = Promise.all([
        loadFunction(folder, 'receive-callback', output),
        loadFunction(folder, 'publish-changes', output),
        loadFunction(folder, 'recover-callbacks', output),
        loadFunction(folder, 'poll-agents', output),
        loadFunction(folder, 'reconcile-calls', output),
      ]).then(([receive, publish, recover, poll, reconcile]) => ({
        'receive-callback': receive,
        'publish-changes': publish,
        'recover-callbacks': recover,
        'poll-agents': poll,
        'reconcile-calls': reconcile,
      }));
      loaded.resolve(all);
      await all;
    },
  };
};

/** How long the last changes in a stream may take to be published when the sandbox stops. */
const drainMilliseconds = 2_000;

/** How long a running poll may take when the sandbox stops. */
const pollMilliseconds = 2_000;

/**
 * Starts the emulated event source mappings of Lambda: changes of both tables go to `publish`, parked callbacks to
 * `recover`, ticks to `poll`, and the steps of reconciliation to `reconcile`.
 */
export const startReaders = (
  { store, queues, files }: { readonly store: Store; readonly queues: Queues; readonly files: DataFiles },
  { publish, recover, poll, reconcile }: Omit<Functions, 'receive' | 'load'>,
  { consoleLog, counters }: { readonly consoleLog: ConsoleLog; readonly counters: Counters },
  closers: Closers,
): void => {
  const client = new DynamoDBStreamsClient(localClient(store.url));
  closers.add(() => client.destroy());
  // Once DynamoDB Local is gone, nothing can be drained.
  let leftToDrain = drainMilliseconds;
  store.ended.then(() => {
    leftToDrain = 0;
  });

  const readStream = (arn: string, { published }: Table, checkpoints: string | undefined): void => {
    const stream = startStreamReader({
      stream: { client, arn },
      checkpoints: createCheckpoints(checkpoints),
      invoke: filterPublished(published, publish),
      onFailure(records) {
        counters.add('publishRetries', 1);
        consoleLog.publishRetry(records);
      },
    });
    closers.add(() => stream.stop(leftToDrain));
  };
  readStream(store.streamArns.calls, callsTable, files.checkpoints);
  readStream(store.streamArns.agents, agentsTable, files.agentCheckpoints);

  const parked = startQueueReader(queues.parking, recover, ({ succeeded, failed }) => {
    counters.add('recovered', succeeded);
    counters.add('recoveryRetries', failed);
    consoleLog.recovered(succeeded, failed, queues.parking.messages().length);
  });
  closers.add(parked.stop);

  const ticks = startQueueReader(queues.ticks, poll, ({ succeeded, failed }) => {
    counters.add('ticksProcessed', succeeded);
    counters.add('ticksRetried', failed);
    consoleLog.polled(failed > 0);
  });
  const steps = startQueueReader(queues.reconciliation, reconcile, ({ succeeded, failed }) => {
    counters.add('reconciliationSteps', succeeded);
    counters.add('reconciliationRetries', failed);
    consoleLog.reportStep(failed > 0);
  });
  for (const reader of [ticks, steps])
    closers.add(() => Promise.race([reader.stop(), pause(pollMilliseconds, new AbortController().signal)]));
};
