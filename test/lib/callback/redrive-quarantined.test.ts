import { describe, expect, it } from 'vitest';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import { type Account, parseAccounts } from '../../../lib/accounts/accounts.ts';
import type { Posted } from '../../../lib/callback/parse-envelope.ts';
import type { QuarantineEntry } from '../../../lib/callback/parked.ts';
import {
  parseQuarantined,
  type RedriveOptions,
  redriveQuarantined,
} from '../../../lib/callback/redrive-quarantined.ts';
import type { CallStore } from '../../../lib/calls/call-store.ts';
import { demoAccount, otherAccount, sentinelKey } from '../../fixtures/accounts.ts';
import { specificationSummary } from '../../fixtures/calls.ts';
import { normalisedRecords } from '../../support/call-records.ts';
import {
  formPost,
  generousDeadline,
  memoryCallStore,
  memoryQuarantine,
  memoryReceiver,
  unavailable,
} from '../../support/memory-ports.ts';

describe('redriveQuarantined', () => {
  const receivedAt = '2026-11-20T06:00:00.000Z';
  const call = { monitorUCID: '41781234567890123', Apikey: '***', Status: 'Answered' };
  const entryOf = (body: unknown, about: Partial<QuarantineEntry> = {}) => ({
    id: 'e1',
    entry: { reason: 'not-a-call-summary', account: 'demo', body: JSON.stringify(body), receivedAt, ...about },
  });

  /** Redrives one entry over memory, with what can be looked at afterwards. */
  const redriver = (options: Partial<RedriveOptions> = {}, calls: CallStore = memoryCallStore()) => {
    const quarantine = memoryQuarantine();
    const removed: string[] = [];
    const ports = {
      calls,
      quarantine,
      accounts: accountIndex([demoAccount, otherAccount] as never),
      deadline: generousDeadline,
      async remove(id: string) {
        removed.push(id);
      },
    };
    return {
      quarantine,
      removed,
      redrive: redriveQuarantined(ports, { account: undefined, isDryRun: false, ...options }),
    };
  };
  const refusing: CallStore = { record: async () => 'rejected' };

  it('stores a call with the time at which it came, and takes the entry away', async () => {
    const calls = memoryCallStore();
    const { redrive, removed } = redriver({}, calls);

    expect(await redrive(entryOf(call))).toEqual({ ok: true, value: { stored: 1, duplicates: 0, quarantined: 0 } });
    expect(calls.records()).toMatchObject([{ key: { account: 'demo' }, deliveries: [{ receivedAt }] }]);
    expect(JSON.stringify(calls.records())).not.toContain('***');
    expect(removed).toEqual(['e1']);
  });

  it('makes a duplicate of what a crash left in quarantine after it was stored', async () => {
    const { redrive, removed } = redriver();
    await redrive(entryOf(call));

    expect(await redrive(entryOf(call))).toEqual({ ok: true, value: { stored: 0, duplicates: 1, quarantined: 0 } });
    expect(removed).toEqual(['e1', 'e1']);
  });

  it('keeps the entry where the table is down', async () => {
    const { redrive, removed } = redriver({}, { record: unavailable });

    await expect(redrive(entryOf(call))).rejects.toThrow();
    expect(removed).toEqual([]);
  });

  it('keeps records that are still not understood each on its own, with the time at which they came', async () => {
    const { redrive, removed, quarantine } = redriver();

    expect(await redrive(entryOf([call, { Event: 'Pop', Url: 'x?apikey=demo-key' }]))).toMatchObject({
      value: { stored: 1, quarantined: 1 },
    });
    expect(quarantine.entries).toEqual([
      { reason: 'not-a-call-summary', account: 'demo', body: '{"Event":"Pop","Url":"x?apikey=***"}', receivedAt },
    ]);
    expect(removed).toEqual(['e1']);
  });

  it('writes nothing in a dry run', async () => {
    const calls = memoryCallStore();
    const { redrive, removed, quarantine } = redriver({ isDryRun: true }, calls);

    expect(await redrive(entryOf([call, 'x']))).toEqual({
      ok: true,
      value: { stored: 1, duplicates: 0, quarantined: 1 },
    });
    expect([calls.records(), quarantine.entries, removed]).toEqual([[], [], []]);
  });

  it('keeps what the table can never take: as not storable, or where it is already', async () => {
    const first = redriver({}, refusing);
    await first.redrive(entryOf(call));
    const [kept] = first.quarantine.entries;
    expect(kept).toMatchObject({ reason: 'not-storable', account: 'demo', receivedAt });
    expect(first.removed).toEqual(['e1']);

    const second = redriver({}, refusing);
    expect(kept && (await second.redrive({ id: 'e2', entry: kept }))).toEqual({ ok: false, problem: 'not-storable' });
    expect(second.removed).toEqual([]);

    const third = redriver();
    expect(kept && (await third.redrive({ id: 'e2', entry: kept }))).toMatchObject({ value: { stored: 1 } });
    expect(third.removed).toEqual(['e2']);
  });

  it.each<[string, Partial<QuarantineEntry>, string | undefined, string]>([
    ['nobody says whose it is', { account: undefined }, undefined, 'account-not-named'],
    ['it is another account’s', {}, 'other', 'account-mismatch'],
    ['its account is not there any more', { account: 'former' }, undefined, 'unknown-account'],
    ['there is no account of the name that is given', { account: undefined }, 'nobody', 'unknown-account'],
    ['it is still not understood', { body: '{"Event":"Pop"}' }, undefined, 'not-a-call-summary'],
  ])('leaves the entry where %s', async (_title, about, account, problem) => {
    const { redrive, removed } = redriver({ account });

    expect(await redrive(entryOf(call, about as never))).toEqual({ ok: false, problem });
    expect(removed).toEqual([]);
  });

  it('stores an entry without account as that of the account that is named, in any letter case', async () => {
    const calls = memoryCallStore();
    const { redrive } = redriver({ account: 'OTHER' }, calls);

    expect(await redrive(entryOf(call, { account: undefined as never }))).toMatchObject({ ok: true });
    expect(calls.records()).toMatchObject([{ key: { account: 'other' } }]);
    expect(await redrive(entryOf(call, { account: 'other' }))).toMatchObject({ ok: true });
  });
});

describe('readKept', () => {
  const account = demoAccount as unknown as Account;
  const { redact } = accountIndex([account]);
  const receivedAt = '2026-11-20T06:00:00.000Z';
  const entryWith = (body: string, about: Partial<QuarantineEntry> = {}): QuarantineEntry => ({
    reason: 'broken-json',
    account: 'demo',
    body,
    receivedAt,
    ...about,
  });
  const read = (body: unknown, about: Partial<QuarantineEntry> = {}) =>
    parseQuarantined(entryWith(typeof body === 'string' ? body : JSON.stringify(body), about), account, redact);

  const call = { monitorUCID: '41781234567890123', UserName: 'demo', Apikey: '***', Status: 'Answered' };

  const readAccountsOf = (list: unknown): readonly Account[] => {
    const accounts = parseAccounts(JSON.stringify(list));
    return accounts.ok ? accounts.value : [];
  };

  it('says what the receiver would have, had it understood the post when it came', async () => {
    const post = { ...specificationSummary, Apikey: sentinelKey, UserName: 'demo', Comments: `see ${sentinelKey}` };
    const body = redact(JSON.stringify(post));

    expect(body).not.toContain(sentinelKey);
    expect(read(body)).toEqual({ ok: true, value: normalisedRecords([post]) });
  });

  it('reads a list, and says which of its records are still not understood', () => {
    const result = read([call, { Event: 'Pop' }], { reason: 'not-a-call-summary' });

    expect(result).toMatchObject({
      ok: true,
      value: { deliveries: [{ key: { callId: call.monitorUCID } }], unrecognised: [{ reason: 'not-a-call-summary' }] },
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
    ['a body that was cut', call, { bytes: 400_000 }, 'body-truncated'],
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
    const [{ key, delivery }] = normalisedRecords([call]).deliveries as never as [
      { key: object; delivery: { facts: object } },
    ];
    const body = { ...key, facts: delivery.facts };

    expect(read(body, { reason: 'not-storable' })).toEqual({
      ok: true,
      value: { deliveries: [{ key, delivery }], unrecognised: [] },
    });
    expect(read({ ...body, account: 'other' }, { reason: 'not-storable' })).toMatchObject({ problem: 'unknown-user' });
  });

  it('uses the zone of the account', () => {
    const [london] = readAccountsOf([{ ...demoAccount, timeZone: 'Europe/London' }]);
    const entry = entryWith(JSON.stringify({ ...call, StartTime: '2026-11-20 10:00:00' }));

    expect(london && parseQuarantined(entry, london, redact)).toMatchObject({
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
        expect(parseQuarantined(entry, account, redact)).toEqual({ ok: false, problem: expect.any(String) });
    }
  });
});
