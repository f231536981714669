import { describe, expect, it } from 'vitest';
import { type Account, readAccounts } from '../../../lib/account/account.ts';
import { accountBook } from '../../../lib/account/account-book.ts';
import type { Posted } from '../../../lib/callback/open-envelope.ts';
import type { QuarantineEntry } from '../../../lib/callback/quarantine-entry.ts';
import { readKept } from '../../../lib/callback/read-kept.ts';
import { demoAccount, sentinelKey } from '../../fixtures/accounts.ts';
import { specificationSummary } from '../../fixtures/call-summaries.ts';
import { understood } from '../support/facts-of.ts';
import { formPost, memoryReceiver } from '../support/receiver.ts';

const account = demoAccount as unknown as Account;
const { masked } = accountBook([account]);
const receivedAt = '2026-11-20T06:00:00.000Z';
const kept = (body: string, about: Partial<QuarantineEntry> = {}): QuarantineEntry => ({
  reason: 'broken-json',
  account: 'demo',
  body,
  receivedAt,
  ...about,
});
const read = (body: unknown, about: Partial<QuarantineEntry> = {}) =>
  readKept(kept(typeof body === 'string' ? body : JSON.stringify(body), about), account, masked);

const call = { monitorUCID: '41781234567890123', UserName: 'demo', Apikey: '***', Status: 'Answered' };

describe('readKept', () => {
  it('says what the receiver would have, had it understood the post when it came', async () => {
    const post = { ...specificationSummary, Apikey: sentinelKey, UserName: 'demo', Comments: `see ${sentinelKey}` };
    const body = masked(JSON.stringify(post));

    expect(body).not.toContain(sentinelKey);
    expect(read(body)).toEqual({ ok: true, value: understood([post]) });
  });

  it('reads a list, and says which of its records are still not understood', () => {
    const result = read([call, { Event: 'Pop' }], { reason: 'not-a-call-summary' });

    expect(result).toMatchObject({
      ok: true,
      value: { deliveries: [{ key: { callId: call.monitorUCID } }], misunderstood: [{ reason: 'not-a-call-summary' }] },
    });
  });

  it('takes the mask for no value of a field that is named like a key, and leaves it in others', () => {
    const named = { 'partner-api_key': '***', 'x-api-key ': '***', myApiKey: '***', '"apikey"': '***' };
    const others = { Note: '***', ApiKeyOwner: '***', OldApiKey: 'kept' };
    const result = read({ ...call, ...named, ...others });

    expect(result.ok && result.value.deliveries[0]?.delivery.facts['extra']).toEqual(others);
  });

  it('keeps digits as they were kept', () => {
    expect(read('{"monitorUCID": 12345678901234567890, "Status": "Answered"}')).toMatchObject({
      value: { deliveries: [{ key: { callId: '12345678901234567890' } }] },
    });
  });

  it.each<[string, unknown, Partial<QuarantineEntry>, string]>([
    ['a body that was cut', call, { bytes: 400_000 }, 'body-cut'],
    ['records of several accounts', [call], { reason: 'mixed-accounts' }, 'mixed-accounts'],
    ['another account’s call', { ...call, UserName: 'other' }, {}, 'unknown-user'],
    [
      'a form without content, whose fields are no record',
      { Status: ['Answered'], monitorUCID: ['1'], EndTime: ['x'] },
      { reason: 'data-missing' },
      'data-missing',
    ],
    ['JSON that is still broken', '{"monitorUCID":', {}, 'broken-json'],
    ['what is still no call', { Event: 'Pop' }, {}, 'not-a-call-summary'],
    ['an empty list', [], {}, 'no-records'],
    ['a list that is still too long', Array(501).fill(call), {}, 'too-many-records'],
    ['a record without sense, kept as too large', { kind: 'call' }, { reason: 'not-storable' }, 'not-storable'],
    ['a text, kept as too large', 'x', { reason: 'not-storable' }, 'not-storable'],
  ])('leaves %s', (_title, body, about, problem) => {
    expect(read(body, about)).toEqual({ ok: false, problem });
  });

  it('reads as many records as a post may have', () => {
    expect(read(Array(500).fill(call)).ok).toBe(true);
  });

  it('takes users in any letter case for the account’s', () => {
    expect(read({ ...call, UserName: 'DEMO' }).ok).toBe(true);
  });

  it('reads a record that was too large as it was to be stored', () => {
    const [{ key, delivery }] = understood([call]).deliveries as never as [
      { key: object; delivery: { facts: object } },
    ];
    const body = { ...key, facts: delivery.facts };

    expect(read(body, { reason: 'not-storable' })).toEqual({
      ok: true,
      value: { deliveries: [{ key, delivery }], misunderstood: [] },
    });
    expect(read({ ...body, account: 'other' }, { reason: 'not-storable' })).toMatchObject({ problem: 'unknown-user' });
  });

  it('uses the zone of the account', () => {
    const [london] = readAccountsOf([{ ...demoAccount, timeZone: 'Europe/London' }]);
    const entry = kept(JSON.stringify({ ...call, StartTime: '2026-11-20 10:00:00' }));

    expect(london && readKept(entry, london, masked)).toMatchObject({
      value: { deliveries: [{ delivery: { facts: { startedAt: '2026-11-20T10:00:00.000Z' } } }] },
    });
  });

  it('finds in every entry that the receiver keeps what the receiver found in it', async () => {
    const posts: readonly Posted[] = [
      formPost('{"a":'),
      formPost({ Event: 'Pop', Apikey: 'demo-key' }),
      formPost([call, { ...call, Apikey: 'demo-key' }, 'x']),
      { content: { form: { other: '1' } }, query: {} },
    ];
    for (const post of posts) {
      const { receive, quarantine } = memoryReceiver();
      await receive(post);
      for (const entry of quarantine.entries)
        expect(readKept(entry, account, masked)).toEqual({ ok: false, problem: expect.any(String) });
    }
  });
});

const readAccountsOf = (list: unknown): readonly Account[] => {
  const accounts = readAccounts(JSON.stringify(list));
  return accounts.ok ? accounts.value : [];
};
