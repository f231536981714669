import { describe, expect, it } from 'vitest';
import { readEnv } from '../../functions/adapters/env.ts';
import { pollAgentsEnv } from '../../functions/poll-agents/environment.ts';
import { publishChangesEnv } from '../../functions/publish-changes/environment.ts';
import { receiveCallbackEnv } from '../../functions/receive-callback/environment.ts';
import { reconcileCallsEnv } from '../../functions/reconcile-calls/environment.ts';
import type { FunctionName } from '../../functions/timeouts.ts';
import { formOf, httpApiEvent } from '../support/local-servers.ts';
import { keyedDelivery, summaryWith } from '../support/posted-records.ts';
import {
  changeOf,
  loadDeployed,
  message,
  postOf,
  recordingMessage,
  type Surroundings,
  startedAt,
  startSurroundings,
  stored,
} from './support/surroundings.ts';

/** A variable of a function: what the function gets, and what shows that the variable has its effect. */
interface Setting {
  readonly name: FunctionName;
  readonly variables: Readonly<Record<string, string>>;
  readonly lengths?: Parameters<typeof startSurroundings>[1];
  readonly prepare?: (around: Surroundings) => Promise<unknown>;
  readonly event: (around: Surroundings) => unknown;
  readonly shown: (around: Surroundings) => unknown;
  readonly expected: unknown;
}

type Table = Parameters<Surroundings['world']['rows']>[0];

/** For how many days a row of a kind is retained. */
const daysOf =
  (table: Table, kind: string | undefined) =>
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

const parked = () => message({ kind: 'delivery', ...keyedDelivery(summaryWith({ monitorUCID: '1' })) });
const broken = () => httpApiEvent({ body: formOf('{"Apikey":"demo-key","monitorUCID":') });
const tick = () => ({ Records: [{ attributes: { SentTimestamp: String(Date.now()) } }] });
const dayOfReport = () => message({ kind: 'start', account: 'demo', run: 'r', days: ['2026-11-19'] });

const settings: Readonly<Record<string, Setting>> = {
  'the receiver retains calls': {
    ...{ name: 'receive-callback', variables: { CALL_RETENTION_DAYS: '3' }, event: () => postOf(1) },
    ...{ shown: daysOf('calls', 'call'), expected: 3 },
  },
  'the receiver retains quarantine': {
    ...{ name: 'receive-callback', variables: { QUARANTINE_RETENTION_DAYS: '4' }, event: broken },
    ...{ shown: daysOf('quarantine', undefined), expected: 4 },
  },
  'the publisher keeps personal data': {
    ...{ name: 'publish-changes', variables: { PERSONAL_FIELDS: 'keep' }, prepare: stored() },
    ...{ event: (around) => changeOf(around, 1), shown: customers, expected: ['09000000042'] },
  },
  'the publisher keeps personal data by default': {
    ...{ name: 'publish-changes', variables: {}, prepare: stored() },
    ...{ event: (around) => changeOf(around, 1), shown: customers, expected: ['09000000042'] },
  },
  'the publisher leaves personal data out': {
    ...{ name: 'publish-changes', variables: { PERSONAL_FIELDS: 'leave-out' }, prepare: stored() },
    ...{ event: (around) => changeOf(around, 1), shown: customers, expected: [undefined] },
  },
  'the poller reads an answer of four megabytes': {
    ...{ name: 'poll-agents', variables: {}, lengths: { logins: 4 * 1024 * 1024 }, event: tick },
    ...{ shown: feed, expected: ['live', undefined] },
  },
  'the poller reads no larger one, which could exceed its memory': {
    ...{ name: 'poll-agents', variables: {}, lengths: { logins: 4 * 1024 * 1024 + 1 }, event: tick },
    ...{ shown: feed, expected: ['starting', 'too-large'] },
  },
  'recovery retains calls': {
    ...{ name: 'recover-callbacks', variables: { CALL_RETENTION_DAYS: '3' }, event: parked },
    ...{ shown: daysOf('calls', 'call'), expected: 3 },
  },
  'reconciliation retains calls': {
    ...{ name: 'reconcile-calls', variables: { CALL_RETENTION_DAYS: '3' }, event: dayOfReport },
    ...{ shown: daysOf('calls', 'call'), expected: 3 },
  },
  'the poller retains snapshots': {
    ...{ name: 'poll-agents', variables: { SNAPSHOT_RETENTION_DAYS: '5', INTERVAL_RETENTION_DAYS: '6' }, event: tick },
    ...{ shown: daysOf('agents', 'floor'), expected: 5 },
  },
  'the poller retains timelines': {
    ...{ name: 'poll-agents', variables: { SNAPSHOT_RETENTION_DAYS: '5', INTERVAL_RETENTION_DAYS: '6' }, event: tick },
    ...{ shown: daysOf('agents', 'interval'), expected: 6 },
  },
  'reconciliation leaves a call to its callbacks for some time': {
    ...{ name: 'reconcile-calls', variables: { SETTLE_SECONDS: '99999' }, event: dayOfReport },
    ...{ shown: callIds, expected: [] },
  },
  'reconciliation stores a call after that time': {
    ...{ name: 'reconcile-calls', variables: { SETTLE_SECONDS: '80000' }, event: dayOfReport },
    ...{ shown: callIds, expected: ['7'] },
  },
  'archiving takes a recording of a megabyte': {
    ...{ name: 'archive-recordings', variables: { RECORDING_MAX_MEGABYTES: '1' }, lengths: { recording: 1_000_000 } },
    ...{ prepare: stored(), event: (around) => recordingMessage(around, 1), shown: recording },
    expected: ['archived', undefined],
  },
  'archiving takes no larger one': {
    ...{ name: 'archive-recordings', variables: { RECORDING_MAX_MEGABYTES: '1' }, lengths: { recording: 1_000_001 } },
    ...{ prepare: stored(), event: (around) => recordingMessage(around, 1), shown: recording },
    expected: ['given-up', 'too-large'],
  },
  'archiving asks the hosts of its list': {
    ...{ name: 'archive-recordings', variables: { RECORDING_HOSTS: 'a.example,b.example' } },
    ...{ prepare: stored('b.example'), event: (around) => recordingMessage(around, 1), shown: recording },
    expected: ['archived', undefined],
  },
  'archiving asks no other host': {
    ...{ name: 'archive-recordings', variables: { RECORDING_HOSTS: 'a.example,b.example' } },
    ...{ prepare: stored(), event: (around) => recordingMessage(around, 1), shown: recording },
    expected: ['given-up', 'other-host'],
  },
};

it.each(Object.entries(settings))('%s as its variable says', async (_title, setting) => {
  const around = await startSurroundings([], setting.lengths);
  await setting.prepare?.(around);
  const invoke = await loadDeployed(around, setting.name, setting.variables);
  await invoke(setting.event(around));

  expect(setting.shown(around)).toEqual(setting.expected);
});

/** Something that each function measures. Rows for the analytics are only logged where they fail. */
const anything: Readonly<Record<Exclude<FunctionName, 'transform-events'>, (around: Surroundings) => unknown>> = {
  'receive-callback': () => postOf(1),
  'recover-callbacks': parked,
  'publish-changes': (around) => changeOf(around, 1),
  'poll-agents': tick,
  'reconcile-calls': dayOfReport,
  // A message that nobody can read, and that was tried for ten minutes.
  'forward-deliveries': () => ({
    Records: message('?').Records.map((record) => ({ ...record, attributes: { ApproximateReceiveCount: '7' } })),
  }),
  'archive-recordings': (around) => recordingMessage(around, 1),
};

it.each(Object.entries(anything))('%s measures under its own name and that of its deployment', async (name, event) => {
  const around = await startSurroundings();
  await stored()(around);
  const lines: string[] = [];
  const invoke = await loadDeployed(around, name as FunctionName, { DEPLOYMENT: 'callfeed-x' }, (text) =>
    lines.push(text),
  );
  await invoke(event(around));

  expect(lines.join('')).toContain(`"function":"${name}","deployment":"callfeed-x"`);
});

const poller = { AGENTS_TABLE: 'a', CALLFEED_ACCOUNTS: '[]' };
const publisher = { AGENTS_TABLE: 'a', BUS_NAME: 'bus' };
const receiver = { CALLS_TABLE: 'c', QUARANTINE_TABLE: 'q', PARKING_QUEUE_URL: 'https://queue.invalid/1/parking' };
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
    [
      receiveCallbackEnv,
      receiver,
      'PARKING_QUEUE_URL',
      ['http://localhost:4800/q'],
      ['', 'queue', 'https://a b', 'https://x:99999'],
    ],
    [
      receiveCallbackEnv,
      receiver,
      'CALLBACK_SECRET_SHA256',
      [undefined, 'a'.repeat(64), `${'0'.repeat(64)},${'f'.repeat(64)}`],
      ['', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)},`],
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
