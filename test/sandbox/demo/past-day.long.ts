import { mock } from 'node:test';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { mapValues } from '../../../lib/core/collections.ts';
import { type Item, type Row, unmarshalled } from '../../../lib/storage/rows.ts';
import { createCalendar } from '../../../sandbox/demo/calendar.ts';
import { stepsBetween } from '../../../sandbox/demo/live.ts';
import type { ChangedRow } from '../../../sandbox/demo/memory-table.ts';
import { createPastDeployment, type PastDeployment } from '../../../sandbox/demo/past-deployment.ts';
import { play } from '../../../sandbox/demo/play.ts';
import { localClient, tableNames } from '../../../sandbox/frame/local-aws.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import type { Addresses, SandboxState } from '../../../sandbox/sandbox-routes.ts';
import type { PlannedCall } from '../../../sandbox/simulator/call.ts';
import type { LoggedIn } from '../../../sandbox/simulator/centre.ts';
import { until } from '../../support/process-tree.ts';
import { eventLines } from '../../support/sandbox.ts';

const account: Account = { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'Europe/Paris', token: { kind: 'none' } };
const none = { calls: [], agents: [] };

/** The Thursday before the start, which has the bad hour, the chain of transfers and the campaign. */
const date = '2026-10-22';
const calendar = createCalendar({ seed: 3, startedOn: '2026-10-23', account });
const { from, calls: plannedCalls, chain } = calendar.dayOf(date);
const hour = 3_600_000;
/**
 * The chain with the campaign, the bad hour from its middle on with the campaign and the callbacks after it, and midnight. Or the
 * hours that `DEMO_HOURS` names: `DEMO_HOURS=0-28` is the whole day and the night after it.
 */
const hours = process.env['DEMO_HOURS'];
const spans = (hours === undefined ? ['11-11.5', '16.5-17.5', '23.9-24.1'] : [hours]).map((span) => {
  const [begin = 0, end = 0] = span.split('-').map(Number);
  return { after: from + begin * hour, until: from + end * hour };
});

interface Made {
  readonly calls: readonly Row[];
  readonly agents: readonly Row[];
  readonly events: readonly MadeEvent[];
}

interface MadeEvent {
  readonly type: string;
  readonly time: string;
  readonly detail: { readonly id: string };
}

const sorted = <Value>(values: readonly Value[], keyOf: (value: Value) => string): readonly Value[] =>
  values.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
const byKey = (rows: readonly Row[]) => sorted(rows, ({ pk, sk }) => `${pk} ${sk}`);
/** Events of different rows have no order. */
const byId = (events: readonly MadeEvent[]) => sorted(events, ({ detail }) => detail.id);

const madeBy = (past: PastDeployment): Made => {
  const { calls, agents, events } = past.takeOutcome();
  const rows = (changed: readonly ChangedRow[]) =>
    byKey(changed.flatMap(({ item }) => (item === undefined ? [] : [unmarshalled(item)])));
  const sent = events.map(({ type, detail }) => {
    const time = `${detail.recordedAt.slice(0, 19)}Z`;
    return { type, time, detail: JSON.parse(JSON.stringify(detail)) };
  });
  return { calls: rows(calls), agents: rows(agents), events: byId(sent) };
};

const scanned = async (client: DynamoDBClient, TableName: string): Promise<readonly Row[]> => {
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) items.push(...Items);
  return byKey(items.map(unmarshalled));
};

/** A sandbox as anybody has it: posts to its gateway, ticks in its queue, polls of its service, streams. Only `Date` stands still. */
const sandboxBy = (addresses: Addresses) => {
  const sqs = new SQSClient(localClient(addresses.sqs));
  const dynamodb = new DynamoDBClient(localClient(addresses.dynamodb));
  const state = async () => (await (await fetch(addresses.sandbox)).json()) as SandboxState;
  const soon = { everyMilliseconds: 3, seconds: 120 };
  const untilEvents = (count: number) =>
    until(
      `${count} events`,
      async () => (await state()).events,
      (events) => events === count,
      soon,
    );
  let shown: readonly LoggedIn[] = [];

  return {
    untilEvents,
    async post(at: number, { body, contentType, query }: Parameters<PastDeployment['post']>[1]) {
      mock.timers.setTime(at);
      const headers = { 'content-type': contentType };
      const { status } = await fetch(`${addresses.callbacks}?${query}`, { method: 'POST', body, headers });
      expect(status).toBe(200);
    },
    async poll(at: number) {
      mock.timers.setTime(at);
      const next = calendar.loggedIn(at);
      await fetch(addresses.agents, { method: 'POST', body: JSON.stringify(stepsBetween(shown, next)) });
      shown = next;
      const processed = async () => (await state()).counts.ticksProcessed;
      const before = await processed();
      await sqs.send(new SendMessageCommand({ QueueUrl: addresses.tickQueue, MessageBody: 'by hand' }));
      await until('the poll', processed, (count) => count > before, soon);
    },
    async made(): Promise<Made> {
      const events = (await eventLines(addresses.events)).map((line) => {
        const { 'detail-type': type, time, detail } = JSON.parse(line);
        return { type, time, detail };
      });
      const { calls, agents } = tableNames;
      return { events: byId(events), calls: await scanned(dynamodb, calls), agents: await scanned(dynamodb, agents) };
    },
  };
};

describe('a day that is made in memory, and the same day posted and polled over HTTP', () => {
  let sandbox: Sandbox;
  let played: Made;
  let real: Made;

  beforeAll(async () => {
    mock.timers.enable({ apis: ['Date'], now: from });
    const ports = { port: 0, dynamodbPort: 0, providerPort: 0 };
    sandbox = await startSandbox({ ...ports, accounts: [account], traffic: false, polling: false });
    const past = createPastDeployment({
      accounts: [{ ...account, baseUrl: sandbox.addresses.provider }],
      callbackSecret: undefined,
      stored: none,
      loggedIn: (_, at) => calendar.loggedIn(at),
    });
    const there = sandboxBy(sandbox.addresses);
    const both = {
      async post(...post: Parameters<PastDeployment['post']>) {
        await past.post(...post);
        await there.post(...post);
        // The publisher dates the latest callback, which the next poll reads.
        await there.untilEvents(past.eventCount());
      },
      async poll(at: number) {
        await past.poll(at);
        await there.poll(at);
      },
    };
    for (const span of spans) await play(both, calendar, span, new AbortController().signal);
    await there.untilEvents(past.eventCount());
    real = await there.made();
    played = madeBy(past);
  }, 3_600_000);
  afterAll(async () => {
    mock.timers.reset();
    await sandbox.stop();
  });

  it.runIf(hours === undefined)('have all that is special about such a day', () => {
    const stored = new Set(real.calls.map(({ callId }) => callId));
    const calls = plannedCalls.filter(({ id }) => stored.has(id));
    const missed = calls.filter(({ type, scenario }) => type === 'Inbound' && !scenario.answered);
    const isAfterMissed = ({ customer, startedAt }: PlannedCall) =>
      missed.some((one) => one.customer === customer && one.startedAt < startedAt);
    const kinds = {
      campaign: calls.filter(({ type }) => type === 'Progressive'),
      'missed in the bad hour': missed.filter(({ startedAt }) => Math.floor((startedAt - from) / hour) === 16),
      'tried again': calls.filter((call) => call.type === 'Inbound' && isAfterMissed(call)),
      'called back': calls.filter((call) => call.type === 'Manual' && isAfterMissed(call)),
      chain: calls.filter(({ id }) => chain.includes(id)),
    };

    expect(mapValues(kinds, ({ length }) => length)).toEqual({
      campaign: expect.toSatisfy((count) => count > 5),
      'missed in the bad hour': expect.toSatisfy((count) => count > 10),
      'tried again': expect.toSatisfy((count) => count > 5),
      'called back': expect.toSatisfy((count) => count > 1),
      chain: 2,
    });
  });

  it('have the same calls', () => {
    expect(played.calls.length).toBeGreaterThan(30);
    expect(played.calls).toEqual(real.calls);
  });

  it('have the same agents, intervals and snapshots', () => {
    expect(played.agents.length).toBeGreaterThan(100);
    expect(played.agents).toEqual(real.agents);
  });

  it('have the same events', () => {
    expect(played.events.length).toBeGreaterThan(100);
    expect(played.events).toEqual(real.events);
  });
});
