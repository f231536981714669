import { startAccountsSecret } from './aws/accounts.ts';
import { createConsoleLog } from './aws/console-log.ts';
import { createCounters } from './aws/counters.ts';
import { demoAccount, type SandboxOptions, withBaseUrl } from './aws/sandbox-options.ts';
import { startAws } from './aws/start-aws.ts';
import { prepareDemo } from './demo/demo.ts';
import type { DemoLink } from './demo/links.ts';
import { startStore } from './dynamodb/start-store.ts';
import { analytics } from './features/analytics.ts';
import { forwarding } from './features/forwarding.ts';
import { reconciliation } from './features/reconciliation.ts';
import { recordings } from './features/recordings.ts';
import { fileIn, lockData } from './frame/data-folder.ts';
import { createFaultBoard } from './frame/faults.ts';
import { createClosers } from './frame/lifecycle.ts';
import { freePort } from './frame/listen.ts';
import { functionEnvironment } from './functions/function-environment.ts';
import { prepareFunctions } from './functions/functions.ts';
import { startGateway } from './gateway.ts';
import { type Addresses, addressesOf, type RunningSandbox } from './sandbox-routes.ts';
import { startSimulator } from './simulator/index.ts';
import { createPlayedRows } from './stream/played-rows.ts';

export interface Sandbox {
  readonly addresses: Addresses;
  readonly accounts: readonly string[];
  /** What there is to look at in a demonstration. */
  readonly demoLinks: readonly DemoLink[];
  /** Resolves when DynamoDB Local has ended, after `stop` or unexpectedly. */
  readonly ended: Promise<void>;
  /** Stops accepting requests, publishes the changes that are in the streams, and stops everything. */
  stop(): Promise<void>;
}

const deployedFunctions = new URL('../functions/', import.meta.url);

export const sandboxFeatures = [reconciliation, forwarding, recordings, analytics];

/** Only one can run per process, as functions read the process’s environment. Rejects with a message for the user. */
export const startSandbox = async (asked: SandboxOptions): Promise<Sandbox> => {
  // A demonstration has its own calls and agents, which are in no call report.
  const options = { ...asked, traffic: asked.traffic && asked.demo !== true };
  const {
    onLog,
    onFunctionOutput = () => undefined,
    callbackSecret,
    data,
    polling = true,
    demo: isDemo = false,
  } = options;
  const accounts = options.accounts ?? [demoAccount];
  const board = createFaultBoard();
  const closers = createClosers();
  const consoleLog = createConsoleLog(onLog);
  const played = createPlayedRows();
  const parts = { options, board, consoleLog, counters: createCounters(), closers, played };

  const startProvider = async (callbackUrl: string) => {
    if (options.provider !== undefined) return { url: options.provider, simulator: undefined };
    const log = (line: string): void => consoleLog.line('sent', line);
    const { providerPort: port, traffic } = options;
    const simulator = await startSimulator({ port, callbackUrl, traffic, accounts, board, onLog: log });
    closers.add(simulator.stop);
    return { url: simulator.url, simulator };
  };

  const start = async (): Promise<Omit<Sandbox, 'stop'>> => {
    // A folder and ports that are in use are reported before anything is started.
    if (data !== undefined) await lockData(data, closers);
    await freePort({ number: options.port, flag: '--port' });
    await freePort({ number: options.dynamodbPort, flag: '--dynamodb-port' });
    if (options.provider === undefined) await freePort({ number: options.providerPort, flag: '--provider-port' });
    const demo = isDemo ? prepareDemo({ ...options, accounts, consoleLog }, closers) : undefined;
    const functions = prepareFunctions(deployedFunctions, onFunctionOutput, closers);
    const receive = functions.use('receive-callback');

    consoleLog.note('starting DynamoDB Local');
    const dynamodb = { port: options.dynamodbPort, dataFolder: fileIn(data, 'dynamodb') };
    const store = await startStore(dynamodb, board, closers);
    const secret = await startAccountsSecret(closers);
    const aws = await startAws({ ...parts, functions, store, secret }, sandboxFeatures);

    const running = Promise.withResolvers<RunningSandbox>();
    const gateway = await startGateway(
      { port: options.port, receive, consoleLog, closers, isPersonal: isDemo || options.personal === true },
      { running: running.promise, secret, board, counters: parts.counters, aws },
    );
    const secretPath = callbackSecret === undefined ? '' : `/${encodeURIComponent(callbackSecret)}`;
    const callbackUrl = `${gateway}${secretPath}`;
    const { url: provider, simulator } = await startProvider(callbackUrl);
    secret.put(withBaseUrl(accounts, provider));

    consoleLog.note('loading the functions');
    const urls = { gateway, dynamodb: store.url, provider, secretsmanager: secret.url };
    const addresses = addressesOf(aws, urls, callbackSecret !== undefined);
    const environment = functionEnvironment({
      urls: { ...addresses, dynamodb: store.faultyUrl },
      accountsSecretArn: secret.arn,
      callbackSecret,
    });
    await functions.load({ ...environment, ...aws.variables(simulator?.url) });
    const script = simulator?.script;
    const goOn =
      script && (await demo?.fill({ store, eventbridgeUrl: aws.urls.eventbridge, played, callbackUrl, script }));
    running.resolve({ addresses, simulator, demo });
    goOn?.();
    if (polling) aws.startTicks();
    const demoLinks = demo?.state().links ?? [];
    return { addresses, accounts: accounts.map(({ userName }) => userName), demoLinks, ended: store.ended };
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
