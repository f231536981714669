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
import {
  type AnotherTeam,
  deployAnotherTeam,
  destroyAnotherTeam,
  expectForwarded,
  readAsAnotherTeam,
} from './steps/another-team.ts';
import { expectRows, postCalls } from './steps/calls.ts';
import { lookAtConsole } from './steps/console.ts';
import { deployNextVersion, destroyStack, expectTerminationProtection, otherSettings } from './steps/deployments.ts';
import { createEventCheck, expectCleanLogs } from './steps/events-and-logs.ts';
import { deadLetterCall, parkCalls } from './steps/parked-calls.ts';
import { pollAgents } from './steps/poll-agents.ts';
import { expectReported, reconcileCalls } from './steps/reconcile-calls.ts';
import { callbackApi, type TestContext } from './test-context.ts';

/** Uses a deployment from its first request to its removal. Parked calls have ids that no example has. */
const runLifecycle = async (
  step: Step,
  version: Version,
  context: TestContext,
  anotherTeam: AnotherTeam,
): Promise<void> => {
  const expectEvents = createEventCheck(context.subscriber);

  await step('Reject calls while the secret holds no account', () => expectAccountsRequired(context));
  const accounts = await step('Put an account into the secret', () => putAccounts(context));
  await step('Post calls', () => postCalls(context));
  await step('Read their rows', () => expectRows(context));
  await step('Receive their events', () => expectEvents(expectedEvents.ofPosts));

  await step('Poll agents, with ticks sent by hand', () => pollAgents(context));
  await step('Receive their events', () => expectEvents(expectedEvents.ofAgents));

  const found = await step('Reconcile calls whose callbacks are lost, with messages sent by hand', () =>
    reconcileCalls(context),
  );
  await step('Receive their events, marked as found', async () => {
    await expectEvents(found.map((callId) => `Call Summary Recorded ${callId} 1`));
    await expectReported(context, found);
  });
  await step('Find them forwarded to a bus of the other team', () => expectForwarded(context.clients, anotherTeam));
  await step('Read all of it as the other team, and fail to write', () =>
    readAsAnotherTeam(context.clients, anotherTeam),
  );
  await step('Look at it in the console, with a role that may only read', () =>
    lookAtConsole(context, { roleArn: anotherTeam.viewerArn, folder: version.folder, found }),
  );

  await step('Park a call while the table is missing, and recover it', () => parkCalls(context, '51781234567890001'));
  await step('Send a call that cannot be recovered to the dead letters, and redrive it', () =>
    deadLetterCall(context, '51781234567890002'),
  );
  await step('Receive the events of both', () => expectEvents(expectedEvents.ofParked));

  const next = { ...version, settings: otherSettings };
  const stored = { accounts, callId: '51781234567890003' };
  const changed = await step('Deploy a changed version over it', (onProgress) =>
    deployNextVersion(context, () => deploy(onProgress, next), stored),
  );
  await step('Receive its event, and no event twice', () => expectEvents(expectedEvents.ofNextVersion));
  await step('Find no key and no person in the logs', () => expectCleanLogs(context));

  await step('Destroy the stack of the other team', (onProgress) => destroyAnotherTeam(onProgress, version));
  await step('Fail to destroy the stack while it is protected', (onProgress) =>
    expectTerminationProtection(onProgress, version, changed),
  );
  await step('Destroy the stack without the protection', (onProgress) =>
    destroyStack(onProgress, version, context, changed),
  );
};

export interface Run {
  readonly step: Step;
  readonly folder: string;
  readonly closers: Closers;
  /** Called once the emulator runs, so that its log can be shown after a failure. */
  readonly onStarted: (ministack: Ministack) => void;
}

const packages = {
  name: 'callfeed-e2e',
  purpose: 'The stack is deployed to MiniStack, a Python program',
  requirements: ['test/end-to-end/deployed/requirements.txt'],
};

/** Starts an emulated AWS, deploys the stack to it, and runs through its whole lifecycle. */
export const scenario = async ({ step, folder, closers, onStarted }: Run): Promise<void> => {
  const python = await step('Install MiniStack', (onProgress) => virtualEnvironment(packages, onProgress, closers));
  const ministack = await step('Start MiniStack', () => startMinistack(python, folder, closers));
  onStarted(ministack);
  const { endpoint } = ministack;
  const clients = clientsAt(endpoint);
  await step('Check that MiniStack enforces IAM', () => expectIamEnforced(endpoint));

  const cdk = await cdkAt(endpoint, join(folder, 'home'), closers);
  const bootstrap = ['bootstrap', `aws://${awsAccount}/${region}`];
  await step('Bootstrap the account for the CDK', (onProgress) => cdk(onProgress, folder, bootstrap));
  const version = { cdk, folder };
  const { outputs } = await step('Deploy the stack', (onProgress) => deploy(onProgress, version));

  const api = callbackApi(outputs.CallbackUrl, endpoint);
  const simulator = await startSimulator({
    port: 0,
    callbackUrl: outputs.CallbackUrl,
    account: { ...account, timeZone: 'Asia/Kolkata' },
    traffic: false,
  });
  closers.add(simulator.stop);
  const subscriber = await step('Deploy the stack of another team, which knows only the stage', (onProgress) =>
    deployAnotherTeam(onProgress, version, clients),
  );

  await runLifecycle(step, version, { endpoint, clients, outputs, api, simulator, subscriber }, subscriber);
  await step('Stop MiniStack', () => ministack.stop());
};
