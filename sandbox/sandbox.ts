import { startBus } from './bus/start-bus.ts';
import { createClosers } from './closers.ts';
import { createConsoleLog as createTelling } from './console-log.ts';
import { createCounters } from './counters.ts';
import { dataFiles } from './data-files.ts';
import { startStore } from './dynamodb/start-store.ts';
import { createFaultBoard } from './faults.ts';
import { startGateway } from './gateway/start-gateway.ts';
import { freePort } from './http/listen.ts';
import { prepareFunctions, startReaders } from './lambda/start-functions.ts';
import { tableNames } from './local-aws.ts';
import { startQueues } from './queue/start-queues.ts';
import { demoAccount, type SandboxOptions, withBaseUrl } from './sandbox-options.ts';
import { type Addresses, addressesOf, type RunningSandbox } from './sandbox-state.ts';
import { startProvider } from './start-provider.ts';
import { startSchedule } from './tick-schedule.ts';

/** A running sandbox. */
export interface Sandbox {
  readonly addresses: Addresses;
  readonly accounts: readonly string[];
  /** Resolves when DynamoDB Local ended, be it by `stop` or by itself. */
  readonly ended: Promise<void>;
  /** Takes no more requests, publishes what is in the stream, and ends everything that was started. */
  stop(): Promise<void>;
}

const deployedFunctions = new URL('../functions/', import.meta.url);

/**
 * Starts the whole system on this machine: the deployed functions, and around them what AWS and the contact centre do.
 * One at a time per process, as functions read the process's environment. Rejects with a message for the user.
 */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const {
    onLog = () => undefined,
    onFunctionOutput = () => undefined,
    accounts = [demoAccount],
    callbackSecret,
  } = options;
  const files = dataFiles(options.data);
  const board = createFaultBoard();
  const closers = createClosers();
  const seen = { consoleLog: createTelling(onLog), counters: createCounters() };

  const start = async (): Promise<Omit<Sandbox, 'stop'>> => {
    // A port in use is told before anything is started.
    await freePort({ number: options.port, flag: '--port' });
    if (options.provider === undefined) await freePort({ number: options.providerPort, flag: '--provider-port' });
    const functions = prepareFunctions(deployedFunctions, onFunctionOutput, closers);

    seen.consoleLog.note('starting DynamoDB Local');
    const store = await startStore({ port: options.dynamodbPort, dataFolder: files.dynamodb }, board, closers);
    const queues = await startQueues(files, board, seen, closers);
    const bus = await startBus(files, board, seen, closers);
    startReaders({ store, queues, files }, functions, seen, closers);

    const names = accounts.map(({ userName }) => userName);
    const running = Promise.withResolvers<RunningSandbox>();
    const parts = { running: running.promise, accounts, board, counters: seen.counters, queues, log: bus.log };
    const gateway = await startGateway(options.port, parts, functions.receive, seen.consoleLog, closers);

    const callbackUrl = callbackSecret === undefined ? gateway : `${gateway}/${encodeURIComponent(callbackSecret)}`;
    const told = { callbackUrl, onLog: seen.consoleLog.sent };
    const provider = await startProvider({ ...options, ...told, accounts }, board, closers);

    seen.consoleLog.note('loading the functions');
    await functions.load({
      dynamodbUrl: store.faultyUrl,
      queueUrl: queues.url,
      busUrl: bus.url,
      parkingQueueUrl: queues.parkingUrl,
      busName: bus.name,
      tableNames,
      accounts: withBaseUrl(accounts, provider.url),
      callbackSecret,
    });
    const urls = { gateway, dynamodb: store.url, provider: provider.url, eventbridge: bus.url, sqs: queues.url };
    const addresses = addressesOf(urls, callbackSecret !== undefined);
    running.resolve({ addresses, simulator: provider.simulator });
    if (options.polling ?? true) startSchedule(queues, seen.consoleLog, closers);
    return { addresses, accounts: names, ended: store.ended };
  };

  try {
    const running = await start();
    return {
      ...running,
      async stop() {
        board.clear();
        await closers.closeAll();
      },
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
};
