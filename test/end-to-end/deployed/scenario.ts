import { join } from 'node:path';
import type { Closers } from '../../../sandbox/closers.ts';
import { startSimulator } from '../../../sandbox/simulator/index.ts';
import { awsAccount, clientsAt, region } from './clients.ts';
import { cdkAt, deploy, type Version } from './deployment.ts';
import { account, expectedEvents } from './fixtures.ts';
import { type Ministack, startMinistack } from './ministack/start-ministack.ts';
import { virtualEnvironment } from './python-environment.ts';
import type { Step } from './step-runner.ts';
import { expectAccountsRequired, expectIamEnforced, putAccounts } from './steps/accounts.ts';
import { expectRows, postCalls } from './steps/calls.ts';
import { deployNextVersion, destroyStack, expectTerminationProtection, otherSettings } from './steps/deployments.ts';
import { createEventCheck, expectCleanLogs } from './steps/events-and-logs.ts';
import { deadLetterCall, parkCalls } from './steps/parked-calls.ts';
import { pollAgents } from './steps/poll-agents.ts';
import { callbackApi, subscribe, type TestContext } from './test-context.ts';

/** The life of a deployment, from its first request to its end. Calls have ids of their own beside those of the examples. */
const runLifecycle = async (step: Step, version: Version, stage: TestContext): Promise<void> => {
  const find = createEventCheck(stage.subscriber);

  await step('Refuse calls while the secret holds no account', () => expectAccountsRequired(stage));
  const accounts = await step('Put an account into the secret', () => putAccounts(stage));
  await step('Take calls', () => postCalls(stage));
  await step('Find their rows', () => expectRows(stage));
  await step('Find their events', () => find(expectedEvents.ofPosts));

  await step('Poll agents, with ticks sent by hand', () => pollAgents(stage));
  await step('Find their events', () => find(expectedEvents.ofAgents));

  await step('Park a call while the table is gone, and recover it', () => parkCalls(stage, '51781234567890001'));
  await step('Set aside a call that cannot be recovered', () => deadLetterCall(stage, '51781234567890002'));
  await step('Find the events of both', () => find(expectedEvents.ofParked));

  const next = { ...version, settings: otherSettings };
  const kept = { accounts, callId: '51781234567890003' };
  const changed = await step('Deploy a changed version over it', (tell) =>
    deployNextVersion(stage, () => deploy(tell, next), kept),
  );
  await step('Find its event, and no other twice', () => find(expectedEvents.ofNextVersion));
  await step('Find no key and nobody in the logs', () => expectCleanLogs(stage));

  await step('Refuse to destroy the stack while it is protected', (tell) =>
    expectTerminationProtection(tell, version, changed),
  );
  await step('Destroy it on purpose', (tell) => destroyStack(tell, version, stage, changed));
};

/** Where a run leaves what it writes and starts, and whom it tells. */
export interface Run {
  readonly step: Step;
  readonly folder: string;
  readonly closers: Closers;
  /** Told of the emulator once it runs, so that its log can be shown if something fails. */
  readonly onStarted: (ministack: Ministack) => void;
}

const packages = {
  name: 'callfeed-e2e',
  purpose: 'The stack is deployed to MiniStack, a Python program',
  requirements: ['test/end-to-end/deployed/requirements.txt'],
};

/** Starts an emulated AWS, and has a deployment live its whole life in it. */
export const scenario = async ({ step, folder, closers, onStarted }: Run): Promise<void> => {
  const python = await step('Get MiniStack', (tell) => virtualEnvironment(packages, tell, closers));
  const ministack = await step('Start it', () => startMinistack(python, folder, closers));
  onStarted(ministack);
  const clients = clientsAt(ministack.endpoint);
  await step('See that it enforces who may do what', () => expectIamEnforced(ministack.endpoint));

  const cdk = await cdkAt(ministack.endpoint, join(folder, 'home'), closers);
  const bootstrap = ['bootstrap', `aws://${awsAccount}/${region}`];
  await step('Prepare the account for the CDK', (tell) => cdk(tell, folder, bootstrap));
  const version = { cdk, folder };
  const { outputs } = await step('Deploy the stack', (tell) => deploy(tell, version));

  const api = callbackApi(outputs.CallbackUrl, ministack.endpoint);
  const simulator = await startSimulator({
    port: 0,
    callbackUrl: outputs.CallbackUrl,
    account: { ...account, timeZone: 'Asia/Kolkata' },
    traffic: false,
  });
  closers.add(simulator.stop);
  const subscriber = await step('Subscribe a queue of another team', () => subscribe(clients, outputs));

  await runLifecycle(step, version, { clients, outputs, api, simulator, subscriber });
  await step('Stop MiniStack', () => ministack.stop());
};
