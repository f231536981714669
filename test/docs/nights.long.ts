import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { keyFingerprint } from '../../lib/accounts/account-index.ts';
import type { MadeCall } from '../../sandbox/simulator/call-report.ts';
import { timesRaised } from '../cdk/monitoring/evaluate-alarm.ts';
import { deployedResources, type MetricDatum, metricDataIn } from '../cdk/monitoring/scenario.ts';
import { kmsKeyArn } from '../cdk/support/configurations.ts';
import { only, synthesise } from '../cdk/support/template.ts';
import { clockAhead } from '../support/packed-package.ts';
import { type AgentsSandbox, startAgentsSandbox } from '../support/polled-centre.ts';
import { logIn, setState } from '../support/sandbox.ts';
import { blocksIn, commandsOf, runAsPrinted, runbookSection } from './examples/support/example-project.ts';

// Each night causes a fault in a sandbox, and then does what an operator does: reads the alarm that its metrics raise, opens
// the section of the runbook that the alarm names, and runs its commands. The clock of the sandbox advances by itself, and
// at once by the slots of the polls: minutes of grace take no time. The operator's shell has the same clock.

const { now: realNow } = Date;
const callbackSecret = 'nights-callback-secret';
const nextKey = 'nights-next-key';
const soon = { timeout: 30_000, interval: 50 };

const { template } = synthesise({
  context: { reconciliation: 'hourly', kmsKeyArn, runbookUrl: 'https://wiki.example.com/runbook' },
});
const { deployment } = deployedResources(template);

let sandbox: AgentsSandbox;
const emitted: MetricDatum[] = [];

/** Metrics of the functions as they would be of the deployment whose alarms look at them. */
const collect = (_function: string, output: string): void => {
  for (const line of output.split('\n').filter((text) => text.startsWith('{')))
    for (const datum of metricDataIn(line, Date.now()))
      emitted.push({ ...datum, dimensions: { ...datum.dimensions, deployment } });
};

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  sandbox = await startAgentsSandbox({ callbackSecret, onFunctionOutput: collect }, '2026-11-20T05:00:00.000Z');
  await sandbox.script(...['asha', 'ravi', 'tara'].map((agentId) => logIn(agentId)));
});
afterEach(async () => {
  for (const fault of ['callbacks', 'provider', 'dynamodb']) await setFault(fault, 'none');
  await expect.poll(async () => (await sandbox.state()).parked, soon).toBe(0);
  await pollFor(3);
});
afterAll(() => sandbox?.stop());

const ask = async (address: string, method: string, body?: object): Promise<unknown> => {
  const answer = await fetch(address, { method, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return answer.json();
};
const setFault = (name: string, mode: string) => ask(`${sandbox.addresses.faults}/${name}`, 'PUT', { mode });

/** The calls of the simulated service: GET lists them, POST makes some. */
const askForCalls = (method: string, body?: object) =>
  ask(`${sandbox.addresses.provider}/_simulator/calls`, method, body);

interface Made {
  readonly callIds: readonly string[];
}
/** Makes calls at the simulated service, which posts their callbacks unless a fault loses them. */
const makeCalls = (request: object) => askForCalls('POST', { pace: 0, kind: 'answered', ...request }) as Promise<Made>;

/** Polls for so many minutes. */
const pollFor = async (minutes: number): Promise<void> => {
  for (let slot = 0; slot < 4 * minutes; slot++) await sandbox.poll();
};

/** An agent's call, seen by two polls; its callback follows unless something loses it. */
const callOf = async (agentId: string): Promise<void> => {
  await sandbox.script(setState(agentId, 'INCALL'));
  await sandbox.poll();
  await sandbox.script(setState(agentId, 'READY'));
  await makeCalls({ count: 1 });
  await sandbox.poll();
};

/** How often the operator of the present night ran something. */
let runs = 0;

/** The shell of an operator, with the clock of the sandbox. The agents are polled meanwhile. */
const run = async (...blocks: readonly string[]): Promise<string> => {
  runs += 1;
  await sandbox.poll();
  const environment = { ...clockAhead(Date.now() - realNow()), COLUMNS: '1000' };
  const operator = { typed: nextKey, callbackSecret, environment };
  const { code, output, errors } = await runAsPrinted(sandbox.addresses.sandbox, operator, ...blocks);
  if (code !== 0) throw new Error(`${blocks.join('')} ended with ${code}: ${output}${errors}`);
  return `${output}${errors}`;
};

/** What the present night has run of the page. */
const used: string[] = [];

/** A command as the runbook prints it. Throws if the page no longer has it. */
const printed = (section: string, beginning: string): string => {
  const found = commandsOf(section).find((command) => command.startsWith(beginning));
  if (found === undefined) throw new Error(`The runbook does not print ${beginning}`);
  used.push(found);
  return found;
};

/** Blocks of commands that belong together. */
const blocksOf = (section: string): readonly string[] => {
  used.push(...blocksIn(section));
  return blocksIn(section);
};

interface Night {
  readonly alarm: string;
  /** What is well before the fault. */
  readonly before?: () => Promise<void>;
  readonly cause: () => Promise<void>;
  /** Runs the commands of the section that the alarm names. */
  readonly operator: (section: string) => Promise<void>;
  /** Commands of the section that are for another cause of the same alarm. */
  readonly others?: readonly string[];
}

/** The most command lines that an operator at night should have to run to know what is wrong. */
const fewRuns = 4;

/** Plays a night. The alarm is quiet until the fault, and a few commands of its section explain it. */
const play = async ({ alarm, before = () => pollFor(2), cause, operator, others = [] }: Night): Promise<void> => {
  used.length = 0;
  const from = Date.now();
  const raised = () =>
    timesRaised(only(template, 'AWS::CloudWatch::Alarm', `Monitoring${alarm}`), {
      from,
      to: Date.now(),
      data: emitted,
    });
  await before();
  expect(raised()).toEqual([]);

  await cause();
  expect(raised()).not.toEqual([]);

  const section = sectionOf(alarm);
  runs = 0;
  await operator(section);
  expect(runs).toBeLessThanOrEqual(fewRuns);
  expect(commandsOf(section).filter((command) => !used.some((text) => text.includes(command)))).toEqual(others);
};

/** The section of the runbook that the text of an alarm names. */
const sectionOf = (alarm: string): string => {
  const { AlarmDescription } = only(template, 'AWS::CloudWatch::Alarm', `Monitoring${alarm}`);
  const [, anchor = ''] = /runbook#([a-z-]+)$/.exec(AlarmDescription) ?? [];
  return runbookSection(`${anchor.charAt(0).toUpperCase()}${anchor.slice(1).replaceAll('-', ' ')}`);
};

/** Finds out which of the credentials is wrong, where the service rejects them. */
const forCredentials = 'npx callfeed check-accounts FILE --try --account ACCOUNT';

describe('a night', () => {
  it('in which callbacks stop', async () => {
    const agents = ['asha', 'ravi', 'tara', 'asha', 'ravi', 'tara'];
    await play({
      alarm: 'CallbacksSilent',
      before: async () => {
        for (const agentId of agents) await callOf(agentId);
        await pollFor(8);
      },
      cause: async () => {
        await setFault('callbacks', 'lose');
        for (const agentId of agents) await callOf(agentId);
        await pollFor(8);
      },
      operator: async (section) => {
        const status = await run(printed(section, 'npx callfeed status'));
        expect(status).toMatch(
          /^SILENT: agents of demo end calls, and no callback has come since 2026-11-20T05:0\S+ Check/m,
        );
        const [address] = blocksOf(section);
        expect(await run(address ?? '')).toMatch(/ 200 [\s\S]*"service":"callfeed"[\s\S]*"not-a-call-summary"/);
        const calls = printed(section, 'npx callfeed calls');
        expect((await run(calls)).match(/answered/g)).toHaveLength(6);
        expect(await run(printed(section, 'npx callfeed reconcile'))).toMatch(
          /12 calls in the report: 6 found and stored/,
        );
      },
    });
  });

  it.each<[string, cause: () => Promise<void>, says: readonly RegExp[], not?: RegExp]>([
    [
      'the telephony service fails',
      async () => {
        await setFault('provider', 'error');
        await pollFor(4);
      },
      [
        /^STALE: demo [\s\S]*the telephony service does not answer as it should \(http-error\)/,
        /"side": "service"/,
        /"previousProblem": null/,
      ],
      /DATABASE/,
    ],
    [
      'the database fails',
      async () => {
        await setFault('dynamodb', 'error');
        await makeCalls({ count: 6 });
        await pollFor(4);
      },
      [
        /^STALE: demo [\s\S]*the poller writes nothing: [\s\S]*cannot use the table/,
        /^DATABASE: calls are parked, and the poller writes nothing/m,
        /^Parked +about [6-9] messages being retried$/m,
      ],
    ],
    [
      'first the telephony service fails and then the database',
      async () => {
        await setFault('provider', 'error');
        await pollFor(1);
        await setFault('provider', 'none');
        await pollFor(1);
        await setFault('dynamodb', 'error');
        await makeCalls({ count: 1 });
        await pollFor(4);
      },
      [
        /^STALE: demo [\s\S]*the poller writes nothing: [\s\S]*cannot use the table/,
        /^DATABASE: /m,
        /An earlier problem is over, [\s\S]*the telephony service does not answer as it should/,
        /"problem": \{\s+"side": "poller-or-table"/,
        /"previousProblem": \{\s+"side": "service"/,
      ],
    ],
  ])('in which %s', async (_what, cause, says, not) => {
    await play({
      alarm: 'AgentsStale',
      cause,
      others: [forCredentials],
      operator: async (section) => {
        const [status = '', row = ''] = blocksOf(section);
        const answer = `${await run(status)}${await run(row)}`;
        for (const text of says) expect(answer).toMatch(text);
        if (not) expect(answer).not.toMatch(not);
      },
    });
  });

  it('in which the key of the account is changed at the service alone', async () => {
    await play({
      alarm: 'AccountRejected',
      cause: async () => {
        await ask(`${sandbox.addresses.accounts}/demo?at=service`, 'PUT', { apiKeys: [nextKey] });
        await makeCalls({ count: 3 });
      },
      operator: async (section) => {
        const list = await run(printed(section, 'npx callfeed quarantine list'));
        const [id = 'none', ...others] = [...list.matchAll(/^([0-9a-f]{32}) +unknown-key/gm)].map(([, each]) => each);
        expect(others).toHaveLength(2);
        const shown = await run(printed(section, 'npx callfeed quarantine show').replace('ID', id));
        expect(shown).toContain(keyFingerprint(nextKey));

        const [read = '', type = '', prepare = '', attempt = '', put = ''] = blocksIn(
          runbookSection("Change an account's key"),
        );
        const changed = await run(read, type, prepare, attempt, put);
        expect(changed).toMatch(/demo: 2 live keys[\s\S]*logged in/);
        expect(await run(printed(section, 'npx callfeed quarantine redrive --all'))).toMatch(/3 redriven/);
      },
      // The one tells several accounts apart, the other is for a key that exists no more.
      others: [
        'npx callfeed status --stack "$STACK"',
        'npx callfeed quarantine redrive ID --account acme --stack "$STACK"',
      ],
    });
    await pollFor(2);
    expect(await run(printed(sectionOf('AgentsStale'), 'npx callfeed status'))).toMatch(
      /^demo, as of [^.]+\.\d{3}Z, \S+ ago\./,
    );
  });
});

it('a call without a recording is completed from the call report', async () => {
  const section = runbookSection('A call has no recording');
  const {
    callIds: [callId = 'none'],
  } = await makeCalls({ count: 1, kind: 'several-recordings', callbacks: 'poorer' });
  const look = printed(section, 'npx callfeed call').replace('ID', callId);
  expect(await run(look)).toMatch(/1 delivery:[\s\S]*No delivery has a recording/);

  // The report gets a recording half a minute to two minutes after the call.
  const { calls } = (await askForCalls('GET')) as { readonly calls: readonly MadeCall[] };
  const completeAt = Date.parse(calls.find((call) => call.callId === callId)?.completeAt ?? '');
  expect(completeAt).not.toBeNaN();
  while (Date.now() < completeAt) await sandbox.poll();
  expect(await run(printed(section, 'npx callfeed reconcile'))).toMatch(/0 found and stored, [1-9]\d* completed/);
  expect(await run(look)).toMatch(/recordings +\(hidden\)[\s\S]*without [\s\S]*recordings[\s\S]*from the call report/);
});

it('afterwards nothing of these nights is missing', async () => {
  const events = join(mkdtempSync(join(tmpdir(), 'callfeed-nights-')), 'events.jsonl');
  writeFileSync(events, await (await fetch(sandbox.addresses.events)).text());
  const verify = printed(runbookSection('After an outage'), 'npx callfeed verify').replace('events.jsonl', events);

  expect(await run(verify)).toMatch(/^Proven/m);
});
