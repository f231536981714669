import { ScanCommand } from '@aws-sdk/client-dynamodb';
import type { SendMessageCommand } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { ReceiveCallbackEnv, ReconcileCallsEnv, readEnv } from '../../../functions/adapters/env.ts';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { telephonyHttp } from '../../../functions/adapters/telephony-http.ts';
import { composeReceiver } from '../../../functions/receive-callback/app.ts';
import { composeReconciliation } from '../../../functions/reconcile-calls/app.ts';
import { serve } from '../../../sandbox/http/serve.ts';
import { type Simulator, startSimulator } from '../../../sandbox/simulator/index.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { httpApiEvent } from '../../support/http-api-event.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { publishedEvents } from '../../support/published-agent-events.ts';

const account = { userName: 'demo', apiKey: 'demo-key', timeZone: 'Asia/Kolkata' };
const noClient = { send: async () => Promise.reject(new Error('nothing sends here')) } as never;

/** The deployed functions over real tables and HTTP, with a simulated service and a queue by a clock that is set. */
const startWorld = async () => {
  const time = manualClock('2026-11-21T10:00:00.000Z');
  const tables: TestTables = await startTestTables();
  const published = await publishedEvents(tables, 'calls');
  const env = (url: string) => ({
    CALLS_TABLE: tables.tableNames.calls,
    AGENTS_TABLE: tables.tableNames.agents,
    QUARANTINE_TABLE: tables.tableNames.quarantine,
    PARKING_QUEUE_URL: 'http://127.0.0.1:9/parking',
    RECONCILE_QUEUE_URL: 'http://127.0.0.1:9/reconciliation',
    CALLFEED_ACCOUNTS: JSON.stringify([
      { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'Asia/Kolkata', baseUrl: url, token: { kind: 'none' } },
    ]),
  });
  const log: string[] = [];
  const shared = (name: 'receive-callback' | 'reconcile-calls') => ({
    clock: time.clock,
    telemetry: jsonTelemetry({ function: name, deployment: 'test' }, (line) => log.push(line)),
    dynamodb: tables.client,
    secrets: noClient,
  });

  const gateway = await serve(async ({ method, path, headers, body }) => {
    const [pathname = '', query = ''] = path.split('?');
    const sent = { 'content-type': headers['content-type'] ?? '' };
    const event = httpApiEvent({ method, path: pathname, query, headers: sent, body: body.toString() });
    const reply = (await receive(event as never, {} as Context)) as APIGatewayProxyStructuredResultV2;
    return { status: reply.statusCode ?? 500, body: reply.body ?? '' };
  });
  const simulator: Simulator = await startSimulator({
    ...{ port: 0, callbackUrl: gateway.url, account, traffic: false, pace: 0, seed: 7 },
    clock: { now: time.now, sleep: async () => undefined },
  });
  const receive = composeReceiver({
    ...shared('receive-callback'),
    sqs: noClient,
    env: readEnv(ReceiveCallbackEnv, env(simulator.url)),
    // Eighty callbacks come at once, which a busy machine does not store as fast as a sender would wait for them.
    storeDeadlineMs: 60_000,
  });

  const queue: { readonly body: string; readonly dueMs: number }[] = [];
  const sqs = {
    send: async ({ input: { MessageBody: body = '', DelaySeconds = 0 } }: SendMessageCommand) =>
      void queue.push({ body, dueMs: time.now() + DelaySeconds * 1_000 }),
  };
  const reconcile = composeReconciliation({
    ...shared('reconcile-calls'),
    sqs: sqs as never,
    env: readEnv(ReconcileCallsEnv, env(simulator.url)),
    report: telephonyHttp({ timeoutMs: 20_000 }),
    service: telephonyHttp({ timeoutMs: 4_000 }),
  });
  const control = async (method: string, path: string, body?: object) =>
    (
      await fetch(`${simulator.url}/_simulator/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    ).json();

  return {
    time,
    log,
    calls: (request: object) => control('POST', 'calls', request),
    truth: (): Promise<{ readonly calls: readonly MadeCall[] }> => control('GET', 'calls') as Promise<never>,
    rows: async () => {
      const { Items = [] } = await tables.client.send(
        new ScanCommand({ TableName: tables.tableNames.calls, ConsistentRead: true }),
      );
      return Items.map((item) => unmarshall(item)).filter(({ kind }) => kind === 'call');
    },
    events: () => published.events('demo'),
    /** Runs until the queue is empty. Answers how many messages there were. */
    async reconcile() {
      queue.push({ body: '{"kind":"all"}', dueMs: time.now() });
      let steps = 0;
      for (let next = queue.shift(); next !== undefined; next = queue.shift(), steps++) {
        time.advance(Math.max(0, next.dueMs - time.now()));
        const answer = await reconcile({ Records: [{ messageId: '1', body: next.body }] } as never, {} as Context);
        expect(answer).toEqual({ batchItemFailures: [] });
      }
      return steps;
    },
    async stop() {
      await simulator.stop();
      await gateway.close();
      await published.stop();
      await tables.stop();
    },
  };
};

interface MadeCall {
  readonly callId: string;
  readonly answered: boolean;
  readonly hasDisposition: boolean;
  readonly recorded: boolean;
  readonly callbacks: 'all' | 'none' | 'poorer';
}

/** Calls of an hour, of which a tenth is lost on the way and a tenth made poorer; then two readings of the report. */
const story = async () => {
  const world = await startWorld();
  const at = '2026-11-21T08:00:00.000Z';
  for (const [callbacks, count] of [
    ['all', 80],
    ['none', 10],
    ['poorer', 10],
  ] as const)
    await world.calls({ count, callbacks, at, spreadSeconds: 3_600 });
  const before = await world.rows();

  await world.reconcile();
  const after = await world.rows();
  const events = await world.events();
  await world.reconcile();
  const again = await world.rows();
  const { calls: made } = await world.truth();
  await world.stop();
  const lost = made.filter(({ callbacks }) => callbacks === 'none').map(({ callId }) => callId);
  return { before, after, again, events, made, lost, log: world.log };
};

let told: Awaited<ReturnType<typeof story>>;
beforeAll(async () => {
  told = await story();
});

describe('an hour of calls, of which a tenth is lost on the way and a tenth made poorer', () => {
  it('lacks exactly the lost calls before it is reconciled', () => {
    const stored = new Set(told.before.map(({ callId }) => callId));
    const missing = told.made.map(({ callId }) => callId).filter((id) => !stored.has(id));

    expect(told.made.length).toBeGreaterThanOrEqual(100);
    expect(told.lost.length).toBeGreaterThanOrEqual(10);
    expect(missing.toSorted()).toEqual(told.lost.toSorted());
  });

  it('has every call afterwards, each as rich as the richer source', () => {
    const rows = new Map(told.after.map((row) => [row['callId'], row]));

    expect(rows.size).toBe(told.made.length);
    for (const { callId, answered, hasDisposition, recorded, callbacks } of told.made) {
      const { source, status, dispositions, recordings } = rows.get(callId) ?? {};
      expect([callId, source]).toEqual([callId, callbacks === 'none' ? 'report' : undefined]);
      expect([callId, status === 'answered']).toEqual([callId, answered]);
      if (hasDisposition) expect([callId, dispositions]).toEqual([callId, expect.anything()]);
      if (recorded) expect([callId, recordings]).toEqual([callId, expect.anything()]);
    }
  });

  it('is told of each call once, and of the lost ones with their source', () => {
    const first = told.events.filter(({ type }) => type === 'Call Summary Recorded').map(({ detail }) => detail);
    const found = first.filter(({ source }) => source === 'report');

    expect(first.map(({ callId }) => callId).toSorted()).toEqual(told.made.map(({ callId }) => callId).toSorted());
    expect(found.map(({ callId }) => callId).toSorted()).toEqual(told.lost.toSorted());
    expect(new Set(told.events.map(({ detail }) => detail['id'])).size).toBe(told.events.length);
  });

  it('costs no write when the report is read again', () => {
    expect(told.again).toEqual(told.after);
    expect(told.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
