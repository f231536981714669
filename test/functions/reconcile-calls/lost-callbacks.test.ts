import type { Context, SQSEvent } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { telephonyHttp } from '../../../functions/adapters/telephony-http.ts';
import { createReconcileHandler } from '../../../functions/reconcile-calls/app.ts';
import { parseReport, reportAccesses, reportRequest } from '../../../functions/reconcile-calls/call-report.ts';
import { serve } from '../../../sandbox/http/serve.ts';
import { startSimulator } from '../../../sandbox/simulator/index.ts';
import { type Deployment, deployment } from '../../deployment/index.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';

const account = { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'Asia/Kolkata' };

/** The deployed functions over real tables, with a simulated service that posts and reports over HTTP. */
const startWorld = async () => {
  let d: Deployment | undefined;
  const now = () => Date.parse(d?.now() ?? '');
  const gateway = await serve(async ({ method, path, headers, body }) => {
    const [pathname = '', query = ''] = path.split('?');
    const sent = { 'content-type': headers['content-type'] ?? '' };
    const reply = await d?.send({ method, path: pathname, query, headers: sent, body: body.toString() });
    return { status: reply?.status ?? 500, body: JSON.stringify(reply) };
  });
  const simulator = await startSimulator({
    ...{ port: 0, callbackUrl: gateway.url, accounts: [account] },
    ...{ traffic: false, seed: 7, clock: { now, sleep: async () => undefined } },
  });
  const http = telephonyHttp({ timeoutMs: 20_000 });
  d = await deployment({
    on: 'local',
    startedAt: '2026-11-21T10:00:00.000Z',
    accounts: [{ ...account, baseUrl: simulator.url, token: { kind: 'none' } }],
    service: { report: [(request) => http.get(request)] },
  });
  const world = d;
  const control = async (method: string, path: string, body?: object) =>
    (
      await fetch(`${simulator.url}/_simulator/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    ).json();

  return {
    ...world,
    makeCalls: (request: object) => control('POST', 'calls', { pace: 0, ...request }),
    truth: (): Promise<{ readonly calls: readonly MadeCall[] }> => control('GET', 'calls') as Promise<never>,
    callRows: async () => (await world.rows('calls')).filter(({ kind }) => kind === 'call'),
    async stop() {
      await simulator.stop();
      await gateway.close();
      await world.stop();
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
    await world.makeCalls({ count, callbacks, at, spreadSeconds: 3_600 });
  const before = await world.callRows();

  await world.reconcile();
  const after = await world.callRows();
  await world.settled();
  const events = world.published();
  await world.reconcile();
  const again = await world.callRows();
  const { calls: made } = await world.truth();
  await world.stop();
  const lost = made.filter(({ callbacks }) => callbacks === 'none').map(({ callId }) => callId);
  return { before, after, again, events, made, lost, faults: world.faults() };
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
    expect(told.faults).toEqual([]);
  });
});

it('tries messages again that fail, each alone, and drops those that it cannot read', async () => {
  const log: string[] = [];
  const handler = createReconcileHandler({
    telemetry: jsonTelemetry({ function: 'reconcile-calls', deployment: 'test' }, (line) => log.push(line)),
    reconcile: async ({ kind }) => {
      if (kind === 'start') throw new Error('SENTINEL');
      return 'done';
    },
  });
  const bodies = ['{"kind":"all"}', '{"kind":"start","account":"demo","run":"1"}', '{"kind":"SENTINEL"}', 'SENTINEL'];
  const Records = bodies.map((body, index) => ({ messageId: String(index), body }));

  expect(await handler({ Records } as SQSEvent, {} as Context)).toEqual({
    batchItemFailures: [{ itemIdentifier: '1' }],
  });
  expect(log.filter((line) => line.includes('"level":"error"'))).toHaveLength(3);
  expect(log.join()).not.toContain('SENTINEL');
});

const answer = (body: unknown, status = 200) =>
  parseReport({ status, text: typeof body === 'string' ? body : JSON.stringify(body) });

describe('the request', () => {
  it('is for one calendar day of the account, with the key in a header', () => {
    const [paged, whole] = [{ form: 'paged', withToken: true } as const, { form: 'whole', withToken: false } as const];
    const of = { day: '2026-09-21', page: 3, token: 'abc' };

    expect(reportRequest(kolkataAccount, paged, of)).toEqual({
      url: 'https://service.example/ca_reports/fetchCdrByPagination?pageNo=3&pageSize=500',
      headers: { apiKey: 'demo-key-1', Authorization: 'Bearer abc' },
      body: '{"fromDate":"2026-09-21 00:00:00","toDate":"2026-09-21 23:59:59","userName":"demo"}',
    });
    expect(reportRequest(kolkataAccount, whole, { ...of, token: undefined })).toMatchObject({
      url: 'https://service.example/ca_reports/fetchCDRDetails',
      headers: { apiKey: 'demo-key-1' },
    });
  });

  it('has forms to try with and without a token, if the account has one', () => {
    expect(reportAccesses(kolkataAccount)).toHaveLength(2);
    expect(reportAccesses({ ...kolkataAccount, token: { kind: 'generate' } })).toHaveLength(4);
  });
});

describe('an answer', () => {
  it.each<[string, unknown, number, number | undefined]>([
    ['a page', { status: 'success', message: 'success', totalCount: 7, details: [{ CallID: '1' }] }, 1, 7],
    ['details alone', { details: [{ CallID: '1' }, { CallID: '2' }] }, 2, undefined],
    ['a bare list', [{ CallID: '1' }], 1, undefined],
    ['no calls', { status: 'success', message: 'success', totalCount: 0, details: [] }, 0, 0],
    ['no calls, in words', { status: 'error', message: 'No data found' }, 0, 0],
    ['no calls and no list', { status: 'Success', totalCount: 0, details: null }, 0, 0],
    ['a count as text', { totalCount: '12', details: [] }, 0, 12],
    ['an odd count', { status: 'success', totalCount: 'many', details: [] }, 0, undefined],
    ['a list beside a status that is no word', '{"status":{"toString":1},"details":[{"CallID":"1"}]}', 1, undefined],
    ['a count after a letter', { totalCount: 'x12', details: [] }, 0, undefined],
    ['a count before a letter', { totalCount: '12x', details: [] }, 0, undefined],
    ['a count in a list', { totalCount: [12], details: [] }, 0, undefined],
    ['a status that speaks of errors', { status: 'No error', details: [{ CallID: '1' }] }, 1, undefined],
    ['a message of a limit', { status: 'success', message: '1 hit left of the limit', details: [{}] }, 1, undefined],
  ])('is read: %s', (_what, body, records, total) => {
    const page = answer(body);
    expect(page.ok && [page.value.records.length, page.value.total]).toEqual([records, total]);
  });

  it('keeps the digits of ids, and each record as it was sent in the last list', () => {
    const list = '[{"CallID": 41781234567890123456, "UCID": 5e1}, "odd"]';
    const page = answer(`{"details": [{"CallID": 1}], "details": ${list}, "status": "success"}`);

    expect(page).toEqual({
      ok: true,
      value: {
        records: [
          {
            value: { CallID: '41781234567890123456', UCID: '5e1' },
            text: '{"CallID": 41781234567890123456, "UCID": 5e1}',
          },
        ],
        unreadable: 1,
        total: undefined,
      },
    });
  });

  it('keeps a record that has a forbidden key or is nested too deeply, and the others', () => {
    const odd = `{"CallID":1,"__proto__":{"a":1},"deep":${'['.repeat(99)}${']'.repeat(99)}}`;

    const page = answer(`{"details":[${odd},{"CallID":2}]}`);

    expect(page).toMatchObject({
      ok: true,
      value: { records: [{ value: { CallID: '1' }, text: odd }, { value: { CallID: '2' } }] },
    });
  });

  it.each<[string, unknown, number, string]>([
    ['a missing key, misleadingly', { status: 'false', message: 'Missing userName or apiKey' }, 401, 'unauthorised'],
    ['a body that it does not see', { status: 'false', message: 'Invalid Json Pass Valid Json' }, 200, 'unknown-error'],
    ['a rate limit', { status: 'error', message: 'Max limit exceeded.' }, 200, 'rate-limited'],
    ['a rate limit in other words', { status: 'error', message: 'API rate limit hit.' }, 200, 'rate-limited'],
    ['a page of HTML', '<html><body>Moved</body></html>', 200, 'not-json'],
    ['a fault', 'oops', 502, 'http-error'],
    ['null', 'null', 200, 'unexpected-answer'],
    ['no list', { status: 'success', message: 'success' }, 200, 'unexpected-answer'],
    ['no calls, in an error', { status: 'error', message: 'broken', totalCount: 0 }, 200, 'unknown-error'],
    ['a list that says it failed', { status: 'error', message: 'broken', details: [] }, 200, 'unknown-error'],
    ['a list of something else', { details: ['a', 'b'] }, 200, 'unexpected-answer'],
  ])('is no report, and never “no calls”: %s', (_what, body, status, reason) => {
    expect(answer(body, status)).toMatchObject({ ok: false, problem: { reason } });
  });
});
