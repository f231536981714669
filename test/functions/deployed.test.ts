import { afterEach, expect, it, vi } from 'vitest';
import type { FunctionName } from '../../functions/timeouts.ts';
import { keyedDelivery, summaryWith } from '../support/posted-records.ts';
import { watchedClients, watchedLimits } from '../support/watched-clients.ts';
import {
  changeOf,
  loadDeployed,
  message,
  type Part,
  postOf,
  queued,
  queuedDelivery,
  recordingMessage,
  type Surroundings,
  startSurroundings,
  stored,
} from './support/surroundings.ts';

afterEach(() => void vi.restoreAllMocks());

/** A piece of work that a function does again and again. */
interface Work {
  readonly name: FunctionName;
  readonly down?: readonly Part[];
  readonly prepare?: (around: Surroundings) => Promise<unknown>;
  /** The event that brings it for the first or the second time. */
  readonly event: (around: Surroundings, time: number) => unknown;
  /** What it sends, each once and sorted, and the limits that it sets for that, in milliseconds. */
  readonly requests: readonly string[];
  readonly limits: readonly number[];
}

/** The limits that are deployed, as numbers: whoever changes one changes it here too. */
const [accountsMs, tableMs, queueMs, parkingMs] = [1_500, 2_500, 2_500, 3_000];
const [serviceMs, reportMs, pageMs, receiverMs, recordingMs] = [4_000, 20_000, 25_000, 10_000, 300_000];

const works: Readonly<Record<string, Work>> = {
  'stores a callback': {
    name: 'receive-callback',
    event: (_around, time) => postOf(time),
    requests: ['GetSecretValue', 'PutItem'],
    limits: [accountsMs, tableMs],
  },
  'parks a callback': {
    name: 'receive-callback',
    down: ['table'],
    event: (_around, time) => postOf(time),
    requests: ['GetSecretValue', 'PutItem', 'SendMessageBatch'],
    limits: [accountsMs, tableMs, parkingMs],
  },
  'stores what was parked': {
    name: 'recover-callbacks',
    event: (_around, time) =>
      message({ kind: 'delivery', ...keyedDelivery(summaryWith({ monitorUCID: String(time) })) }),
    requests: ['PutItem'],
    limits: [tableMs],
  },
  'publishes a change': {
    name: 'publish-changes',
    prepare: stored(),
    event: changeOf,
    requests: ['PutEvents', 'UpdateItem'],
    limits: [tableMs],
  },
  'polls the agents': {
    name: 'poll-agents',
    event: () => ({ Records: [{ attributes: { SentTimestamp: String(Date.now()) } }] }),
    requests: ['BatchWriteItem', 'GetSecretValue', 'POST ca_apis', 'PutItem', 'Query', 'TransactWriteItems'],
    limits: [accountsMs, tableMs, serviceMs],
  },
  'begins a reconciliation': {
    name: 'reconcile-calls',
    event: () => message({ kind: 'all' }),
    requests: ['GetSecretValue', 'SendMessage'],
    limits: [accountsMs, queueMs],
  },
  'reads a day of the report': {
    name: 'reconcile-calls',
    event: (_around, time) => message({ kind: 'start', account: 'demo', run: String(time), days: ['2026-11-19'] }),
    requests: ['BatchGetItem', 'GET ca_reports', 'GetSecretValue', 'PutItem', 'Query'],
    limits: [accountsMs, tableMs, reportMs, pageMs],
  },
  'queues a delivery': {
    name: 'forward-deliveries',
    prepare: stored(),
    event: changeOf,
    requests: ['GetSecretValue', 'SendMessageBatch'],
    limits: [accountsMs, queueMs],
  },
  'posts a delivery': {
    name: 'forward-deliveries',
    prepare: queued,
    event: queuedDelivery,
    requests: ['GetSecretValue', 'POST receiver', 'Query'],
    limits: [accountsMs, tableMs, receiverMs],
  },
  'lets a delivery wait': {
    name: 'forward-deliveries',
    down: ['receiver'],
    prepare: queued,
    event: queuedDelivery,
    requests: ['ChangeMessageVisibility', 'GetSecretValue', 'POST receiver', 'Query'],
    limits: [accountsMs, tableMs, receiverMs],
  },
  'archives a recording': {
    name: 'archive-recordings',
    prepare: stored(),
    event: recordingMessage,
    requests: ['GET recording', 'PUT s3', 'PutItem', 'Query'],
    limits: [tableMs, recordingMs],
  },
  'lets a recording wait': {
    name: 'archive-recordings',
    down: ['host'],
    prepare: stored(),
    event: recordingMessage,
    requests: ['ChangeMessageVisibility', 'GET recording', 'PutItem', 'Query'],
    limits: [tableMs, recordingMs],
  },
  'gives a recording up': {
    name: 'archive-recordings',
    prepare: stored('elsewhere.example.com'),
    event: recordingMessage,
    requests: ['PutItem', 'Query', 'SendMessage'],
    limits: [tableMs, recordingMs],
  },
};

/** The settings of a deployed client: few, short attempts. A part of a recording takes longer. */
const settings = { attempts: 2, connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };
const settingsOfS3 = { ...settings, requestTimeout: 60_000 };

/** What a deployed function sends with the time limits of its client only. */
const withoutLimit = ['PutEventsCommand', 'PutObjectCommand'];

const distinct = <Of>(list: readonly Of[]): readonly Of[] => [...new Set(list)];

it.each(Object.entries(works))('%s: each time within a new limit, as deployed', async (_title, work) => {
  const around = await startSurroundings(work.down ?? []);
  await work.prepare?.(around);
  const limits = watchedLimits();
  const clients = watchedClients(limits.has);
  const invoke = await loadDeployed(around, work.name);
  await invoke(work.event(around, 1));

  // Every limit of before is over, and the accounts are old.
  limits.pass();
  vi.setSystemTime(Date.now() + 600_000);
  const before = { limits: limits.count(), requests: around.requests.length };
  await invoke(work.event(around, 2));

  expect(distinct(around.requests.slice(before.requests)).toSorted()).toEqual(work.requests);
  expect(distinct(limits.since(before.limits)).toSorted((a, b) => a - b)).toEqual(work.limits);
  for (const [service, own] of Object.entries(await clients.settings()))
    expect([service, own]).toEqual([service, service === 'S3' ? settingsOfS3 : settings]);
  expect(clients.unlimited().filter((command) => !withoutLimit.includes(command))).toEqual([]);
});
