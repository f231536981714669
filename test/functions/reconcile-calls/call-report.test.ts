import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { createReconcileHandler } from '../../../functions/reconcile-calls/app.ts';
import { parseReport, reportAccesses, reportRequest } from '../../../functions/reconcile-calls/call-report.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';

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
    const paged = { form: 'paged', withToken: true } as const;
    const whole = { form: 'whole', withToken: false } as const;
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
    ['a page of HTML', '<html><body>Moved</body></html>', 200, 'not-json'],
    ['a fault', 'oops', 502, 'http-error'],
    ['null', 'null', 200, 'unexpected-answer'],
    ['no list', { status: 'success', message: 'success' }, 200, 'unexpected-answer'],
    ['no calls, without a word of success', { totalCount: 0 }, 200, 'unexpected-answer'],
    ['no calls, in an error', { status: 'error', message: 'broken', totalCount: 0 }, 200, 'unknown-error'],
    ['a list that says it failed', { status: 'error', message: 'broken', details: [] }, 200, 'unknown-error'],
    ['a list of something else', { details: ['a', 'b'] }, 200, 'unexpected-answer'],
  ])('is no report, and never “no calls”: %s', (_what, body, status, reason) => {
    expect(answer(body, status)).toMatchObject({ ok: false, problem: { reason } });
  });
});
