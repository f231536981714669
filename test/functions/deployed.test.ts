import { afterEach, describe, expect, it, vi } from 'vitest';
import { readEnv } from '../../functions/adapters/env.ts';
import type { FunctionName } from '../../functions/limits.ts';
import { pollAgentsEnv } from '../../functions/poll-agents/environment.ts';
import { publishChangesEnv } from '../../functions/publish-changes/environment.ts';
import { receiveCallbackEnv } from '../../functions/receive-callback/environment.ts';
import { reconcileCallsEnv } from '../../functions/reconcile-calls/environment.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { formOf, httpApiEvent } from '../support/local-servers.ts';
import { watchedClients, watchedLimits } from '../support/watched-clients.ts';
import {
  changeOf,
  loadDeployed,
  message,
  recordingMessage,
  type Surroundings,
  startedAt,
  startSurroundings,
  stored,
} from './support/surroundings.ts';
import { dayOfReport, type Event, parked, post, tick, type Work, works } from './support/works.ts';

afterEach(() => void vi.restoreAllMocks());

/** The limits that are deployed, as numbers: whoever changes one changes it here too. */
const accountsMs = 1_500;
const tableMs = 2_500;
const queueMs = 2_500;
const busMs = 5_000;
/** Parking has what is left of the receiver's 15 seconds, but for the reply: the clock stands still. */
const parkingMs = 14_000;
const serviceMs = 4_000;
const reportMs = 20_000;
const pageMs = 25_000;
const receiverMs = 10_000;
const recordingMs = 300_000;

/** What each piece of work sends, each once and sorted, and the limits that it sets for that, in milliseconds. */
const asDeployed: Readonly<
  Record<keyof typeof works, readonly [requests: readonly string[], limits: readonly number[]]>
> = {
  'stores a callback': [
    ['GetSecretValue', 'PutItem'],
    [accountsMs, tableMs],
  ],
  'parks a callback': [
    ['GetSecretValue', 'PutItem', 'SendMessageBatch'],
    [accountsMs, tableMs, parkingMs],
  ],
  'stores what was parked': [['PutItem'], [tableMs]],
  'publishes a change': [
    ['PutEvents', 'UpdateItem'],
    [tableMs, busMs],
  ],
  'polls the agents': [
    ['BatchWriteItem', 'GetSecretValue', 'POST ca_apis', 'PutItem', 'Query', 'TransactWriteItems'],
    [accountsMs, tableMs, serviceMs],
  ],
  'begins a reconciliation': [
    ['GetSecretValue', 'SendMessage'],
    [accountsMs, queueMs],
  ],
  'reads a day of the report': [
    ['BatchGetItem', 'GET ca_reports', 'GetSecretValue', 'PutItem', 'Query'],
    [accountsMs, tableMs, reportMs, pageMs],
  ],
  'queues a delivery': [
    ['GetSecretValue', 'SendMessageBatch'],
    [accountsMs, queueMs],
  ],
  'posts a delivery': [
    ['GetSecretValue', 'POST receiver', 'Query'],
    [accountsMs, tableMs, receiverMs],
  ],
  'lets a delivery wait': [
    ['ChangeMessageVisibility', 'GetSecretValue', 'POST receiver', 'Query'],
    [accountsMs, tableMs, receiverMs],
  ],
  'archives a recording': [
    ['GET recording', 'PutItem', 'PutObject', 'Query'],
    [tableMs, recordingMs],
  ],
  'lets a recording wait': [
    ['ChangeMessageVisibility', 'GET recording', 'PutItem', 'Query'],
    [tableMs, recordingMs],
  ],
  'gives a recording up': [
    ['PutItem', 'Query', 'SendMessage'],
    [tableMs, recordingMs],
  ],
};

/** The settings of a deployed client: few, short attempts. A part of a recording takes longer. */
const settings = { attempts: 2, connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };
const settingsOfS3 = { ...settings, requestTimeout: 60_000 };

/** What a deployed function sends with the time limits of its client only. */
const withoutLimit = ['PutObjectCommand'];

const distinct = <Of>(list: readonly Of[]): readonly Of[] => [...new Set(list)];

it.each(keysOf(works))('%s: each time within a new limit, as deployed', async (title) => {
  const work: Work = works[title];
  const [requests, limitsMs] = asDeployed[title];
  const around = await startSurroundings(work.down ?? []);
  await work.prepare?.(around);
  const limits = watchedLimits();
  const clients = watchedClients(limits.has);
  const invoke = await loadDeployed(around, work.name);
  await invoke(work.event(around, 1));

  // Every limit of before is over, and the accounts are old.
  limits.pass();
  vi.setSystemTime(Date.now() + 600_000);
  const before = { limits: limits.count(), requests: around.server.asked().length };
  await invoke(work.event(around, 2));

  expect(
    distinct(
      around.server
        .asked()
        .slice(before.requests)
        .map(({ operation }) => operation),
    ).toSorted(),
  ).toEqual(requests);
  expect(distinct(limits.since(before.limits)).toSorted((a, b) => a - b)).toEqual(limitsMs);
  for (const [service, own] of Object.entries(await clients.settings()))
    expect([service, own]).toEqual([service, service === 'S3' ? settingsOfS3 : settings]);
  expect(clients.unlimited().filter((command) => !withoutLimit.includes(command))).toEqual([]);
});

/** For how many days a row of a kind is retained. */
const daysOf =
  (table: Parameters<Surroundings['world']['rows']>[0], kind?: string) =>
  ({ world }: Surroundings) => {
    const row = world.rows(table).find((one) => one['kind'] === kind);
    return Math.round((Number(row?.['expiresAt']) - Date.parse(startedAt) / 1_000) / 86_400);
  };

const callIds = ({ world }: Surroundings) =>
  world.rows('calls').flatMap(({ kind, callId }) => (kind === 'call' ? [callId] : []));
const recording = ({ world }: Surroundings) => {
  const { status, problem } = world.rows('calls').find(({ kind }) => kind === 'recording') ?? {};
  return [status, problem];
};

const customers = ({ world }: Surroundings) =>
  world.events().map(({ detail }) => Object(detail['call']).customerNumber);
const feed = ({ world }: Surroundings) => {
  const { status, lastProblem } = world.rows('agents').find(({ kind }) => kind === 'feed') ?? {};
  return [status, Object(lastProblem).reason];
};

const broken: Event = () => httpApiEvent({ body: formOf('{"Apikey":"demo-key","monitorUCID":') });
const change: Event = (around) => stored()(around).then(() => changeOf(around, 1));
const audio: Event = (around) => stored('b.example')(around).then(() => recordingMessage(around, 1));
const megabyte = 1024 * 1024;
const hosts = 'a.example,b.example';
const oneMegabyte = { RECORDING_HOSTS: hosts, RECORDING_MAX_MEGABYTES: '1' };

/** The variables of a function, what it gets, and what shows that they have their effect. */
type Setting = [
  name: FunctionName,
  variables: Readonly<Record<string, string>>,
  event: Event,
  shown: (around: Surroundings) => unknown,
  expected: unknown,
  lengths?: Parameters<typeof startSurroundings>[1],
];

const variedSettings: readonly Setting[] = [
  ['receive-callback', { CALL_RETENTION_DAYS: '3' }, post, daysOf('calls', 'call'), 3],
  ['receive-callback', { QUARANTINE_RETENTION_DAYS: '4' }, broken, daysOf('quarantine'), 4],
  ['recover-callbacks', { CALL_RETENTION_DAYS: '3' }, parked, daysOf('calls', 'call'), 3],
  ['reconcile-calls', { CALL_RETENTION_DAYS: '3' }, dayOfReport, daysOf('calls', 'call'), 3],
  ['publish-changes', { PERSONAL_FIELDS: 'keep' }, change, customers, ['09000000042']],
  ['publish-changes', {}, change, customers, ['09000000042']],
  ['publish-changes', { PERSONAL_FIELDS: 'leave-out' }, change, customers, [undefined]],
  // Larger answers could exceed the poller's memory.
  ['poll-agents', {}, tick, feed, ['live', undefined], { logins: 4 * megabyte }],
  ['poll-agents', {}, tick, feed, ['starting', 'too-large'], { logins: 4 * megabyte + 1 }],
  ['poll-agents', { SNAPSHOT_RETENTION_DAYS: '5' }, tick, daysOf('agents', 'floor'), 5],
  ['poll-agents', { INTERVAL_RETENTION_DAYS: '6' }, tick, daysOf('agents', 'interval'), 6],
  ['reconcile-calls', { SETTLE_SECONDS: '99999' }, dayOfReport, callIds, []],
  ['reconcile-calls', { SETTLE_SECONDS: '80000' }, dayOfReport, callIds, ['7']],
  ['archive-recordings', { RECORDING_HOSTS: hosts }, audio, recording, ['archived', undefined]],
  ['archive-recordings', { RECORDING_HOSTS: 'a.example' }, audio, recording, ['given-up', 'other-host']],
  ['archive-recordings', oneMegabyte, audio, recording, ['archived', undefined], { recording: 1_000_000 }],
  ['archive-recordings', oneMegabyte, audio, recording, ['given-up', 'too-large'], { recording: 1_000_001 }],
];

it.each(variedSettings)(
  '%s with the variables %o does as they say',
  async (name, variables, event, shown, expected, lengths) => {
    const around = await startSurroundings([], lengths);
    const invoke = await loadDeployed(around, name, variables);
    await invoke(await event(around, 1));

    expect(shown(around)).toEqual(expected);
  },
);

/** Something that each function measures. Rows for the analytics are only logged where they fail. */
const anything: Readonly<Record<Exclude<FunctionName, 'transform-events'>, Event>> = {
  'receive-callback': post,
  'recover-callbacks': parked,
  'publish-changes': changeOf,
  'poll-agents': tick,
  'reconcile-calls': dayOfReport,
  // A message that nobody can read, and that was tried for ten minutes.
  'forward-deliveries': () => ({
    Records: message('?').Records.map((record) => ({ ...record, attributes: { ApproximateReceiveCount: '7' } })),
  }),
  'archive-recordings': recordingMessage,
};

it.each(Object.entries(anything))('%s measures under its own name and that of its deployment', async (name, event) => {
  const around = await startSurroundings();
  await stored()(around);
  const lines: string[] = [];
  const invoke = await loadDeployed(around, name as FunctionName, { DEPLOYMENT: 'callfeed-x' }, (text) =>
    lines.push(text),
  );
  await invoke(event(around, 1));

  expect(lines.join('')).toContain(`"function":"${name}","deployment":"callfeed-x"`);
});

const poller = { AGENTS_TABLE: 'a', CALLFEED_ACCOUNTS: '[]' };
const publisher = { AGENTS_TABLE: 'a', BUS_NAME: 'bus' };
const receiver = { CALLS_TABLE: 'c', QUARANTINE_TABLE: 'q', PARKING_QUEUE_URL: 'https://queue.invalid/1/parking' };
const zeros = '0'.repeat(64);
const reconciliation = { CALLS_TABLE: 'c', AGENTS_TABLE: 'a', RECONCILE_QUEUE_URL: 'https://queue.invalid/1/reports' };

describe('the environment of a function', () => {
  it('has its own variables alone, and a default where one is not set', () => {
    expect(readEnv(pollAgentsEnv, { ...poller, PATH: '/bin' })).toEqual({
      ...poller,
      DEPLOYMENT: 'callfeed',
      SNAPSHOT_RETENTION_DAYS: 7,
      INTERVAL_RETENTION_DAYS: 90,
    });
    expect(readEnv(pollAgentsEnv, { ...poller, SNAPSHOT_RETENTION_DAYS: '30' }).SNAPSHOT_RETENTION_DAYS).toBe(30);
  });

  it('is rejected with a sentence that names each faulty variable, what is allowed there, and no value', () => {
    expect(() => readEnv(pollAgentsEnv, { CALLFEED_ACCOUNTS: '', INTERVAL_RETENTION_DAYS: 'all' })).toThrow(
      /^The environment of the function is not usable\. CALLFEED_ACCOUNTS: expected the JSON list of accounts; AGENTS_TABLE: expected the name or ARN of a resource; INTERVAL_RETENTION_DAYS: expected whole days from 1 to 3650$/,
    );
  });

  it.each([
    [pollAgentsEnv, poller, 'AGENTS_TABLE', ['x'], ['', undefined]],
    [pollAgentsEnv, poller, 'SNAPSHOT_RETENTION_DAYS', ['1', '365', undefined], ['0', '366', '', '-1', '1.5', 'week']],
    [pollAgentsEnv, poller, 'DEPLOYMENT', ['x', 'x'.repeat(250)], ['', 'x'.repeat(251)]],
    [publishChangesEnv, publisher, 'PERSONAL_FIELDS', ['keep', 'leave-out', undefined], ['drop', '']],
    [receiveCallbackEnv, receiver, 'PARKING_QUEUE_URL', ['http://localhost:4800/q'], ['', 'queue', 'https://a b']],
    [receiveCallbackEnv, receiver, 'PARKING_QUEUE_URL', ['https://x:9999/q'], ['https://x:99999']],
    [receiveCallbackEnv, receiver, 'CALLBACK_SECRET_SHA256', [undefined, zeros, `${zeros},${'f'.repeat(64)}`], ['']],
    [
      receiveCallbackEnv,
      receiver,
      'CALLBACK_SECRET_SHA256',
      ['a'.repeat(64)],
      ['A'.repeat(64), zeros.slice(1), `${zeros},`],
    ],
    [reconcileCallsEnv, reconciliation, 'SETTLE_SECONDS', ['0', '99999', undefined], ['', '-1', '100000', '1 minute']],
  ] as const)('%#: bounds a variable', (declared, environment, name, allowed, wrong) => {
    const isAllowed = (value: string | undefined) => {
      try {
        return readEnv<unknown>(declared, { ...environment, [name]: value }) !== undefined;
      } catch {
        return false;
      }
    };

    expect([allowed.filter(isAllowed), wrong.filter(isAllowed)]).toEqual([allowed, []]);
  });
});
