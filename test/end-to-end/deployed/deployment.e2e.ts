import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { createClosers } from '../../../sandbox/frame/lifecycle.ts';
import { startSimulator } from '../../../sandbox/simulator/index.ts';
import { releases } from '../../upgrade/releases.ts';
import {
  cdkAt,
  type Deployment,
  deploy,
  deployRelease,
  folderWithPackage,
  logLines,
  type PackageFolder,
  stackName,
  type Version,
} from './deployment.ts';
import { type Ministack, startMinistack, untested } from './ministack/start-ministack.ts';
import { virtualEnvironment } from './python-environment.ts';
import {
  type AnotherTeam,
  deployAnotherTeam,
  destroyAnotherTeam,
  expectForwarded,
  lookAtConsole,
  readAsAnotherTeam,
} from './steps/another-team.ts';
import {
  expectAccountsRequired,
  expectIamEnforced,
  expectRows,
  parkCalls,
  postCalls,
  putAccounts,
} from './steps/calls.ts';
import {
  deployNextVersion,
  destroyStack,
  expectTerminationProtection,
  otherSettings,
  returnToRelease,
  upgradeUnderTraffic,
} from './steps/deployments.ts';
import { askAnalytics, createEventCheck, expectCleanLogs } from './steps/events-and-logs.ts';
import { archiveRecording, forwardDeliveries } from './steps/forward-and-archive.ts';
import { expectReported, pollAgain, pollAgents, reconcileCalls } from './steps/poll-and-reconcile.ts';
import {
  account,
  awsAccount,
  callbackApi,
  clientsAt,
  expectedEvents,
  region,
  type TestContext,
} from './test-context.ts';

const forwardedIds = ['51781234567890005', '51781234567890006'] as const;

/** The version that is upgraded. */
/** The one before this version, which may be recorded already. */
const lastRelease = releases.filter((release) => release !== manifest.version).at(-1) ?? '';

/** Longer than it takes to kill a process tree. */
const closers = createClosers(20_000);

let folder: string;
let python: string;
let ministack: Ministack | undefined;
let version: Version;
let deployment: Deployment;
let team: AnotherTeam;
let context: TestContext;
let expectEvents: ReturnType<typeof createEventCheck>;
let ours: PackageFolder;
let accounts: string;
let found: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callfeed-e2e-'));
});
afterAll(async () => {
  await closers.closeAll();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  process.stdout.write(`Not tested, since MiniStack does not support it: ${untested.join(', ')}.\n`);
});

const shown = { lines: 20, characters: 300 };

/** The last log lines without Lambda's own, metrics and warnings of Node: none of those explains a failure. */
const lastOf = (title: string, lines: readonly string[]): string => {
  const relevant = lines.filter((line) => !/^(?:START|END|REPORT) |^\{"_aws"|^\((?:node:|Use `node)/.test(line));
  const last = relevant.slice(-shown.lines).map((line) => line.slice(0, shown.characters));
  return `\n${title}:\n${last.join('\n')}\n`;
};

beforeEach(({ onTestFailed }) =>
  onTestFailed(async () => {
    if (ministack === undefined) return;
    // The functions may not exist yet, or the emulator may have ended.
    const ofFunctions = await logLines({ clients: clientsAt(ministack.endpoint) }).catch(() => []);
    process.stderr.write(lastOf('Last log lines of MiniStack', ministack.log()));
    process.stderr.write(lastOf('Last log lines of the functions', ofFunctions));
  }),
);

it('installs MiniStack', async () => {
  const requirements = ['test/end-to-end/deployed/requirements.txt'];
  python = await virtualEnvironment('callfeed-e2e', requirements, closers);
});

it('starts MiniStack, which enforces IAM', async () => {
  ministack = await startMinistack(python, folder, closers);
  await expectIamEnforced(ministack.endpoint);
});

it('bootstraps the account for the CDK, and deploys the last release', async () => {
  const { endpoint } = started();
  const cdk = await cdkAt(endpoint, join(folder, 'home'), closers);
  await cdk(folder, ['bootstrap', `aws://${awsAccount}/${region}`]);
  version = { cdk, folder };
  deployment = await deployRelease(version, lastRelease);
});

it('has a folder with the packed package, by the commands of the README', async () => {
  ours = await folderWithPackage(folder, started().endpoint, closers);
});

it('deploys the stack of another team, which knows only the stage', async () => {
  const { endpoint } = started();
  const { outputs } = deployment;
  const clients = clientsAt(endpoint);
  const simulator = await startSimulator({
    port: 0,
    callbackUrl: outputs.CallbackUrl,
    accounts: [{ userName: account.userName, apiKeys: [account.apiKey], timeZone: 'Asia/Kolkata' }],
    traffic: false,
  });
  closers.add(simulator.stop);
  team = await deployAnotherTeam(version, clients);
  const api = callbackApi(outputs.CallbackUrl, endpoint);
  context = { endpoint, clients, outputs, api, simulator, subscriber: team };
  expectEvents = createEventCheck(team);
});

const started = (): Ministack => {
  if (ministack === undefined) throw new Error('MiniStack is not running');
  return ministack;
};

it('rejects calls while the secret holds no account', () => expectAccountsRequired(context));

it('reads an account from the secret', async () => {
  accounts = await putAccounts(context);
});

it('answers posts of calls', () => postCalls(context));
it('stores their rows', () => expectRows(context));
it('publishes their events', () => expectEvents(expectedEvents.ofPosts));

it('polls agents, with ticks sent by hand', () => pollAgents(context));
it('publishes their events', () => expectEvents(expectedEvents.ofAgents));

it('is upgraded from that folder while calls are posted, and loses none', async () => {
  const upgrade = async () => {
    deployment = await ours.deploy();
    return deployment;
  };
  const calls = await upgradeUnderTraffic(context, upgrade);
  await expectEvents(
    calls.map((callId) => `Call Summary Recorded ${callId} 1`),
    { mayRepeat: true },
  );
});
it('has the version of the package, whose command line reads the rows of before', async () => {
  expect(await ours.version()).toBe(`callfeed ${manifest.version}\n${stackName} ${manifest.version}\n`);
  expect(await ours.callfeed('calls --day 2026-11-20')).toMatch(
    /^2026-11-20T\S+ +12345678901234567890 +inbound +answered .* Sale$/m,
  );
});
it('polls the agents of before on, without an event', async () => {
  await pollAgain(context);
  await expectEvents([]);
});

it('finds calls whose callbacks are lost in the report, with messages sent by hand', async () => {
  found = await reconcileCalls(context);
});
it('publishes their events, marked as found', async () => {
  await expectEvents(found.map((callId) => `Call Summary Recorded ${callId} 1`));
  await expectReported(context, found);
});

it('forwards events to a bus of the other team', () => expectForwarded(context.clients, team));
it('lets the other team read all of it, and write nothing', () => readAsAnotherTeam(context.clients, team));
it('is shown by the console, with a role that may only read', () => lookAtConsole(context, team.viewerArn, folder));

it('posts deliveries on to an old receiver that fails, hangs and comes back', () =>
  forwardDeliveries(context, closers, accounts, forwardedIds, ours.callfeed));
it('publishes the events of both', () => expectEvents(expectedEvents.ofForwarded));

it('archives the recording of a call', () => {
  context = { ...context, outputs: deployment.outputs };
  return archiveRecording(context, '51781234567890010');
});
it('publishes its event', () => expectEvents(expectedEvents.ofRecordings));

it('parks a call while the table is missing, and recovers it', () => parkCalls(context, '51781234567890001'));
it('publishes its event', () => expectEvents(expectedEvents.ofParked));

it('goes back to the last release, which goes on with what this one wrote', async () => {
  const goBack = () => deployRelease(version, lastRelease);
  deployment = await returnToRelease(context, goBack, '51781234567890004');
  await pollAgain(context);
});
it('publishes its event, and no event twice', () => expectEvents(expectedEvents.ofRelease));

it('loses and changes nothing when a changed version is deployed over it', async () => {
  const deployAgain = () => deploy({ ...version, settings: otherSettings });
  deployment = await deployNextVersion(context, deployAgain, { accounts, callId: '51781234567890003' });
});
it('publishes its event, and no event twice', () => expectEvents(expectedEvents.ofNextVersion));
it('writes the call as Parquet without personal fields, which Athena reads', () =>
  askAnalytics(context, deployment, '51781234567890003'));
it('writes no key and no person into the logs', () => expectCleanLogs(context));

it('lets the other team destroy its stack', () => destroyAnotherTeam(version));
it('cannot be destroyed while it is protected', () => expectTerminationProtection(version, deployment));
it('can be destroyed without the protection, but for tables and secret', () =>
  destroyStack(version, context, deployment));
