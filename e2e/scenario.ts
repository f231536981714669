import { join } from 'node:path';
import type { Closers } from '../sandbox/closers.ts';
import { startSimulator } from '../sandbox/simulator/index.ts';
import { callbackApi } from './cloud/callback-api.ts';
import { cdkAt } from './cloud/cdk.ts';
import { awsAccount, clientsAt, region } from './cloud/clients.ts';
import { deploy } from './cloud/deployment.ts';
import { subscribe } from './cloud/subscriber.ts';
import { account } from './examples.ts';
import { life } from './life.ts';
import { type Ministack, startMinistack } from './ministack/start-ministack.ts';
import { virtualEnvironment } from './ministack/virtual-environment.ts';
import type { Step } from './runner/steps.ts';
import { refuseStrangers } from './steps/refuse-strangers.ts';

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
  requirements: ['e2e/requirements.txt'],
};

/** Starts an emulated AWS, and has a deployment live its whole life in it. */
export const scenario = async ({ step, folder, closers, onStarted }: Run): Promise<void> => {
  const python = await step('Get MiniStack', (tell) => virtualEnvironment(packages, tell, closers));
  const ministack = await step('Start it', () => startMinistack(python, folder, closers));
  onStarted(ministack);
  const clients = clientsAt(ministack.endpoint);
  await step('See that it enforces who may do what', () => refuseStrangers(ministack.endpoint));

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

  await life(step, version, { clients, outputs, api, simulator, subscriber });
  await step('Stop MiniStack', () => ministack.stop());
};
