import { startAccountsSecret } from './accounts-secret.ts';
import { startAnalytics } from './analytics.ts';
import { recordingMessageOf, startBus } from './bus/start-bus.ts';
import { createClosers } from './closers.ts';
import { createConsoleLog } from './console-log.ts';
import { createCounters } from './counters.ts';
import { dataFiles } from './data-files.ts';
import { lockData } from './data-lock.ts';
import { startStore } from './dynamodb/start-store.ts';
import { createFaultBoard } from './faults.ts';
import { startGateway } from './gateway/start-gateway.ts';
import { freePort } from './http/listen.ts';
import { prepareFunctions, startReaders } from './lambda/start-functions.ts';
import { tableNames } from './local-aws.ts';
import { deployedDeadLetterSeconds, startQueues } from './queue/start-queues.ts';
import { startS3 } from './s3/s3-endpoint.ts';
import { demoAccount, type SandboxOptions, withBaseUrl } from './sandbox-options.ts';
import { type Addresses, addressesOf, type RunningSandbox } from './sandbox-state.ts';
import { startReconciliationSchedule, startTickSchedule } from './schedules.ts';
import { startProvider } from './start-provider.ts';

export interface Sandbox {
  readonly addresses: Addresses;
  readonly accounts: readonly string[];
  /** Resolves when DynamoDB Local has ended, after `stop` or unexpectedly. */
  readonly ended: Promise<void>;
  /** Stops accepting requests, publishes the changes that are in the streams, and stops everything. */
  stop(): Promise<void>;
}

const deployedFunctions = new URL('../functions/', import.meta.url);

/**
 * Starts the whole system on this machine: the deployed functions, and local replacements of AWS and the contact centre.
 * Only one can run per process, as functions read the process's environment. Rejects with a message for the user.
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
  const consoleLog = createConsoleLog(onLog);
  const monitors = { consoleLog, counters: createCounters() };

  const start = async (): Promise<Omit<Sandbox, 'stop'>> => {
    // A folder and ports that are in use are reported before anything is started.
    if (options.data !== undefined) await lockData(options.data, closers);
    await freePort({ number: options.port, flag: '--port' });
    if (options.provider === undefined) await freePort({ number: options.providerPort, flag: '--provider-port' });
    const functions = prepareFunctions(deployedFunctions, onFunctionOutput, closers);
    const receive = functions.use('receive-callback');

    consoleLog.note('starting DynamoDB Local');
    const store = await startStore({ port: options.dynamodbPort, dataFolder: files.dynamodb }, board, closers);
    const { deadLetterSeconds = deployedDeadLetterSeconds } = options;
    const secret = await startAccountsSecret(closers);
    const queues = await startQueues(files, deadLetterSeconds, board, monitors, closers);
    const s3 = await startS3(files.objects, closers);
    const isArchiving = options.recordings === true && options.provider === undefined;
    const bus = await startBus(files, board, monitors, closers, (events) => {
      for (const message of isArchiving ? events.flatMap((event) => recordingMessageOf(event) ?? []) : [])
        queues.recordings.send(JSON.stringify(message), {}, 0);
    });
    if (options.analytics !== undefined)
      await startAnalytics(options.analytics, { log: bus.log, onProblem: consoleLog.note }, closers);
    startReaders({ store, queues, files, isArchiving }, functions, monitors, closers);

    const names = accounts.map(({ userName }) => userName);
    const running = Promise.withResolvers<RunningSandbox>();
    const parts = {
      running: running.promise,
      secret,
      board,
      counters: monitors.counters,
      queues,
      log: bus.log,
      isArchiving,
    };
    const gateway = await startGateway(options.port, parts, receive, consoleLog, closers);

    const callbackUrl = callbackSecret === undefined ? gateway : `${gateway}/${encodeURIComponent(callbackSecret)}`;
    const provider = await startProvider({ ...options, callbackUrl, onLog: consoleLog.sent, accounts }, board, closers);
    secret.put(withBaseUrl(accounts, provider.url));

    const urls = { gateway, dynamodb: store.url, provider: provider.url, eventbridge: bus.url, sqs: queues.url };
    const addresses = addressesOf({ ...urls, secretsmanager: secret.url, s3: s3.url }, callbackSecret !== undefined);

    consoleLog.note('loading the functions');
    await functions.load({
      dynamodbUrl: store.faultyUrl,
      queueUrl: queues.url,
      busUrl: bus.url,
      parkingQueueUrl: addresses.parkingQueue,
      reconciliationQueueUrl: addresses.reconciliationQueue,
      forwardingQueueUrl: addresses.forwardingQueue,
      recordingsQueueUrl: addresses.recordingsQueue,
      recordingsDeadLettersUrl: addresses.recordingsDeadLettersQueue,
      s3Url: s3.url,
      simulatorUrl: provider.simulator?.url,
      busName: bus.name,
      tableNames,
      accountsSecret: secret,
      callbackSecret,
    });
    running.resolve({ addresses, simulator: provider.simulator, service: provider.service });
    const { polling = true, traffic } = options;
    if (polling) startTickSchedule(queues.ticks, board, monitors, closers);
    // Without traffic nothing happens by itself; a real service would be asked for more than somebody may expect.
    if (polling && traffic && provider.simulator !== undefined)
      startReconciliationSchedule(queues.reconciliation, secret.accounts, closers);
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
