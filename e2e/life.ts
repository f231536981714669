import { deploy, type Version } from './cloud/deployment.ts';
import { expectedEvents } from './expected-events.ts';
import type { Step } from './runner/steps.ts';
import type { Stage } from './stage.ts';
import { changeVersion, otherSettings } from './steps/change-version.ts';
import { destroy, refuseToDestroy } from './steps/destroy.ts';
import { fillInAccounts } from './steps/fill-in-accounts.ts';
import { findEvents } from './steps/find-events.ts';
import { findRows } from './steps/find-rows.ts';
import { keepLogsClean } from './steps/keep-logs-clean.ts';
import { parkCalls } from './steps/park-calls.ts';
import { pollAgents } from './steps/poll-agents.ts';
import { refuseWithoutAccounts } from './steps/refuse-without-accounts.ts';
import { setAside } from './steps/set-aside.ts';
import { takeCalls } from './steps/take-calls.ts';

/** The life of a deployment, from its first request to its end. Calls have ids of their own beside those of the examples. */
export const life = async (step: Step, version: Version, stage: Stage): Promise<void> => {
  const find = findEvents(stage.subscriber);

  await step('Refuse calls while the secret holds no account', () => refuseWithoutAccounts(stage));
  const accounts = await step('Put an account into the secret', () => fillInAccounts(stage));
  await step('Take calls', () => takeCalls(stage));
  await step('Find their rows', () => findRows(stage));
  await step('Find their events', () => find(expectedEvents.ofPosts));

  await step('Poll agents, with ticks sent by hand', () => pollAgents(stage));
  await step('Find their events', () => find(expectedEvents.ofAgents));

  await step('Park a call while the table is gone, and recover it', () => parkCalls(stage, '51781234567890001'));
  await step('Set aside a call that cannot be recovered', () => setAside(stage, '51781234567890002'));
  await step('Find the events of both', () => find(expectedEvents.ofParked));

  const next = { ...version, settings: otherSettings };
  const kept = { accounts, callId: '51781234567890003' };
  const changed = await step('Deploy a changed version over it', (tell) =>
    changeVersion(stage, () => deploy(tell, next), kept),
  );
  await step('Find its event, and no other twice', () => find(expectedEvents.ofNextVersion));
  await step('Find no key and nobody in the logs', () => keepLogsClean(stage));

  await step('Refuse to destroy the stack while it is protected', (tell) => refuseToDestroy(tell, version, changed));
  await step('Destroy it on purpose', (tell) => destroy(tell, version, stage, changed));
};
