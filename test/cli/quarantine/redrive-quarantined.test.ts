import { describe, expect, it } from 'vitest';
import { callIn, type RedriveOptions, redriveQuarantined } from '../../../cli/quarantine/redrive-quarantined.ts';
import { type AccountIndex, accountIndex, keyFingerprint } from '../../../lib/accounts/account-index.ts';
import { maxFields, maxRecordFields } from '../../../lib/callback/reply.ts';
import type { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { quarantineEntry } from '../../../lib/callback/store-or-park.ts';
import type { CallStore } from '../../../lib/calls/record-delivery.ts';
import { compressText, contentHash } from '../../../lib/core/encoding.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { deployment } from '../../deployment/index.ts';
import { demoAccount, otherAccount } from '../../fixtures/accounts.ts';
import { formOf, type Request } from '../../support/local-servers.ts';
import { generousDeadline, memoryCallStore, memoryQuarantine, unavailable } from '../../support/memory-ports.ts';
import { normalisedRecords, receivedAt } from '../../support/posted-records.ts';

const call = { monitorUCID: '41781234567890123', UserName: 'demo', Apikey: '***', Status: 'Answered' };
/** More than a record may have. */
const manyFields = Object.fromEntries(Array.from({ length: maxRecordFields }, (_, index) => [`field ${index}`, 'x']));
const accounts = accountIndex([demoAccount, otherAccount] as never);

const entryOf = (body: unknown, part: Partial<QuarantineEntry> = {}): QuarantineEntry => ({
  reason: 'not-a-call-summary',
  account: 'demo',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  receivedAt,
  ...part,
});

/** Redrives entries over memory. */
const redriver = (
  options: Partial<RedriveOptions> = {},
  calls: CallStore = memoryCallStore(),
  present: AccountIndex = accounts,
) => {
  const quarantine = memoryQuarantine();
  const removed: string[] = [];
  const remove = async (id: string) => void removed.push(id);
  const ports = { calls, quarantine, accounts: present, deadline: generousDeadline, remove };
  const redrive = redriveQuarantined(ports, { account: undefined, isDryRun: false, ...options });
  return { quarantine, removed, redrive: (entry: QuarantineEntry) => redrive({ id: 'e1', entry }) };
};

describe('an entry', () => {
  it.each<[string, QuarantineEntry, ReturnType<typeof callIn>]>([
    ['with a call may be redriven', entryOf(call), 'found'],
    ['with a call of many fields likewise', entryOf({ ...call, ...manyFields }), 'found'],
    ['of another post of the vendor holds none', entryOf({ event: 'Pop' }), 'none'],
    ['with a record that is no object may hold one', entryOf('["text"]'), 'unclear'],
    ['with such a record beside another post likewise', entryOf('[{"event":"Pop"},"text"]'), 'unclear'],
    [
      'of a text in JSON that was not read may be redriven',
      entryOf(JSON.stringify(JSON.stringify(call)), { carriedAs: 'unread' }),
      'found',
    ],
    ['that is no JSON may hold one that no rule finds', entryOf('{"monitorUCID":'), 'unclear'],
    ['whose end is missing likewise', entryOf(call, { bytes: 9_000_000 }), 'unclear'],
    ['of two accounts stays so', entryOf(call, { reason: 'mixed-accounts' }), 'unclear'],
  ])('%s', (_what, entry, found) => {
    expect(callIn(entry)).toBe(found);
  });
});

describe('redriveQuarantined', () => {
  it('stores a call with the time of its receipt and removes the entry, also again after a crash between the two', async () => {
    const calls = memoryCallStore();
    const { redrive, removed } = redriver({}, calls);

    expect(await redrive(entryOf(call))).toEqual({ ok: true, value: { stored: 1, duplicates: 0, quarantined: 0 } });
    expect(calls.records()).toMatchObject([{ key: { account: 'demo' }, deliveries: [{ receivedAt }] }]);
    expect(JSON.stringify(calls.records())).not.toContain('***');
    expect(await redrive(entryOf(call))).toEqual({ ok: true, value: { stored: 0, duplicates: 1, quarantined: 0 } });
    expect(removed).toEqual(['e1', 'e1']);
  });

  it('leaves the entry while the table is down', async () => {
    const { redrive, removed } = redriver({}, { record: unavailable });

    await expect(redrive(entryOf(call))).rejects.toThrow();
    expect(removed).toEqual([]);
  });

  it('quarantines again each record that still cannot be processed, with the time of its receipt', async () => {
    const { redrive, removed, quarantine } = redriver();

    const records = [call, { Event: 'Pop', Url: 'x?apikey=demo-key' }];
    expect(await redrive(entryOf(records, { keyField: 'Apikey' }))).toMatchObject({
      value: { stored: 1, quarantined: 1 },
    });
    const rest = { carriedAs: 'json', keyField: 'Apikey' } as const;
    expect(quarantine.entries).toEqual([entryOf('{"Event":"Pop","Url":"x?apikey=***"}', rest)]);
    expect(removed).toEqual(['e1']);
  });

  it('writes nothing in a dry run', async () => {
    const calls = memoryCallStore();
    const { redrive, removed, quarantine } = redriver({ isDryRun: true }, calls);

    expect(await redrive(entryOf([call, 'x']))).toMatchObject({ value: { stored: 1, quarantined: 1 } });
    expect([calls.records(), quarantine.entries, removed]).toEqual([[], [], []]);
  });

  it('replaces the entry of a record that is too large once, and stores it as any other when the table accepts it', async () => {
    const rejecting: CallStore = { record: async () => 'rejected' };
    const words = { status: { answered: 'not-answered' } };
    const settled = accountIndex([{ ...demoAccount, country: 'GB', words } as never]);
    const first = redriver({}, rejecting);
    await first.redrive(entryOf(call));
    const [entry] = first.quarantine.entries as [QuarantineEntry];
    expect(entry).toMatchObject({ reason: 'not-storable', account: 'demo', receivedAt });
    expect(first.removed).toEqual(['e1']);

    const second = redriver({}, rejecting);
    expect(await second.redrive(entry)).toEqual({ ok: false, problem: 'not-storable' });
    expect(second.removed).toEqual([]);

    const direct = memoryCallStore();
    await redriver({}, direct, settled).redrive(entryOf(call));
    const { key, text } = JSON.parse(entry.body);
    for (const body of [entry.body, JSON.stringify({ key, facts: {}, asSent: compressText(text) })]) {
      const calls = memoryCallStore();
      const third = redriver({}, calls, settled);
      expect(await third.redrive({ ...entry, body })).toMatchObject({ value: { stored: 1 } });
      expect(third.removed).toEqual(['e1']);
      expect(calls.records()).toEqual(direct.records());
    }
  });

  it.each<[string, Partial<QuarantineEntry>, string | undefined, string]>([
    ['without an account', { account: undefined }, undefined, 'account-not-named'],
    ['of another account', {}, 'other', 'account-mismatch'],
    ['of a removed account', { account: 'former' }, undefined, 'unknown-account'],
    ['without an account, if the given one does not exist', { account: undefined }, 'nobody', 'unknown-account'],
  ])('leaves an entry %s', async (_title, part, account, problem) => {
    const { redrive, removed } = redriver({ account });

    expect(await redrive(entryOf(call, part))).toEqual({ ok: false, problem });
    expect(removed).toEqual([]);
  });

  const secret = 'a-long-callback-secret';
  const key = 'new-key-77';
  const asJson = (data: unknown): Request => ({
    body: JSON.stringify(data),
    headers: { 'content-type': 'application/json' },
  });
  const newCall = { ...call, Apikey: key };
  const more = encodeURIComponent(JSON.stringify([{ UCID: call.monitorUCID, ExitStatus: 'x' }]));

  it.each<[string, QuarantineEntry['carriedAs'], Request]>([
    ['JSON', 'json', { ...asJson(newCall), query: 'tenant=7' }],
    ['a form', 'json', { body: `${formOf(newCall)}&tenant=7` }],
    ['a form with a list beside data', 'form', { body: `${formOf(newCall)}&more=${more}&tenant=7` }],
    ['JSON and a list in the query', 'form', { ...asJson(newCall), query: `more=${more}` }],
    ['data in the query, and a list in the form', 'form', { query: formOf(newCall), body: `more=${more}` }],
    ['a form of too many fields', 'unread', { body: `${'x=1&'.repeat(maxFields)}${formOf(newCall)}` }],
    ['JSON of an unknown type', 'json', { body: JSON.stringify([newCall]), headers: { 'content-type': 'text/plain' } }],
    ['JSON of a form’s type', 'json', { body: JSON.stringify(newCall) }],
    ['the fields of a form', 'json', { body: String(new URLSearchParams(newCall)) }],
  ])('stores %s as the receiver does, once the secret has its key', async (_title, carriedAs, request) => {
    const rotated = [{ ...demoAccount, apiKeys: [key] }];
    const d = await deployment({ accounts: [demoAccount, otherAccount], secret });
    expect(await d.send({ secret, ...request })).toMatchObject({ status: 200, quarantined: 1 });
    const [entry] = (await d.rows('quarantine')) as readonly Row[] as readonly QuarantineEntry[];
    expect(entry).toMatchObject({ carriedAs });
    expect(JSON.stringify(entry)).not.toContain(key);
    const redrive = (present: readonly unknown[]) =>
      redriveQuarantined(
        { ...d.stores(), accounts: accountIndex(present as never), remove: async () => undefined },
        { account: undefined, isDryRun: false },
      )({ id: 'e1', entry: entry as QuarantineEntry });
    const direct = await deployment({ accounts: rotated, secret });
    const { stored } = await direct.post(newCall, { secret, ...(carriedAs !== 'unread' && request) });

    if (carriedAs !== 'unread') expect(await redrive([demoAccount])).toEqual({ ok: false, problem: 'unknown-key' });
    expect(await redrive(rotated)).toEqual({ ok: true, value: { stored, duplicates: 0, quarantined: 0 } });
    const deliveries = (rows: readonly Row[]) => rows.map((row) => [row['sk'], row['deliveries']]);
    expect(deliveries(await d.rows('calls'))).toEqual(deliveries(await direct.rows('calls')));
  });

  it('stores a record of too many fields with each of them, as the receiver put it away', async () => {
    const d = await deployment();
    const sent = { ...call, Apikey: 'demo-key', ...manyFields };
    expect(await d.post(sent)).toMatchObject({ status: 200, quarantined: 1, reason: 'too-many-fields' });
    const [entry] = (await d.rows('quarantine')) as readonly Row[] as readonly QuarantineEntry[];
    const removed: string[] = [];
    const redrive = redriveQuarantined(
      { ...d.stores(), accounts, remove: async (id) => void removed.push(id) },
      { account: undefined, isDryRun: false },
    );

    expect(await redrive({ id: 'e1', entry: entry as QuarantineEntry })).toMatchObject({ value: { stored: 1 } });
    expect(await d.row(call.monitorUCID)).toMatchObject({ status: 'answered', extra: manyFields });
    expect(removed).toEqual(['e1']);
  });

  it('leaves a post whose key is that of another account than its user name', async () => {
    const keyFingerprints = [keyFingerprint('other-key')];
    const entry = entryOf(call, { account: undefined, reason: 'unknown-key', viaSecret: true, keyFingerprints });

    expect(await redriver().redrive(entry)).toEqual({ ok: false, problem: 'unknown-user' });
  });

  it('stores an entry without account for the given one, in any letter case', async () => {
    const { UserName: _, ...anonymous } = call;
    const calls = memoryCallStore();
    const { redrive } = redriver({ account: 'OTHER' }, calls);

    expect(await redrive(entryOf(anonymous, { account: undefined }))).toMatchObject({ ok: true });
    expect(calls.records()).toMatchObject([{ key: { account: 'other' } }]);
    expect(await redrive(entryOf(anonymous, { account: 'other' }))).toMatchObject({ ok: true });
  });
});

describe('the body of an entry', () => {
  /** The records that an entry about demo becomes, or why it stays. */
  const redriven = async (entry: QuarantineEntry, changes: object = {}) => {
    const calls = memoryCallStore();
    const present = accountIndex([{ ...demoAccount, ...changes }] as never);
    const { redrive, removed } = redriver({ account: 'demo' }, calls, present);
    const result = await redrive(entry);
    expect(removed).toEqual(result.ok ? ['e1'] : []);
    return result.ok ? calls.records() : result.problem;
  };

  it('is remembered as one post, if it is a list, where deliveries are forwarded', async () => {
    const list = [call, { ucid: call.monitorUCID, participantType: 'Agent', participantId: 'asha', Apikey: '***' }];
    const postedIn = { ids: expect.any(Array), around: ['[', ',', ']'] };

    expect(await redriven(entryOf(list), { forwardTo: ['https://old.example/'] })).toMatchObject([
      { deliveries: [{ posting: { postedIn } }] },
      { deliveries: [{ posting: { postedIn } }] },
    ]);
  });

  it('keeps the digits of a number', async () => {
    const callId = '12345678901234567890';
    expect(await redriven(entryOf(`{"monitorUCID": ${callId}, "Status": "x"}`))).toMatchObject([{ key: { callId } }]);
  });

  const [tooLarge] = normalisedRecords([{ ...call, UserName: 'other' }], otherAccount as never).deliveries;
  const twice = { data: Array(2).fill(JSON.stringify(call)) };
  const ofOther = { key: tooLarge?.key, text: JSON.stringify(call) };
  const ofNone = { key: { ...tooLarge?.key, account: 'demo' }, text: '[]' };
  const notStorable = { reason: 'not-storable' } as const;
  it.each<[string, unknown, string, Partial<QuarantineEntry>?]>([
    ['a truncated body', call, 'body-truncated', { bytes: 400_000 }],
    ['another account’s call', { ...call, UserName: 'other' }, 'unknown-user', {}],
    ['the fields of a form that are no call', { Event: ['Pop'], Apikey: ['***'] }, 'data-missing'],
    ['an empty form', '{}', 'body-empty'],
    ['a form with empty data', { Event: 'Pop', data: '' }, 'data-empty'],
    ['a form with data twice', twice, 'data-repeated'],
    ['a text in place of JSON', 'hello', 'broken-json'],
    ['JSON that is still broken', '{"monitorUCID":', 'broken-json'],
    ['an object that is still no call', { Event: 'Pop' }, 'not-a-call-summary'],
    ['an empty list', [], 'no-records', {}],
    ['a body of an unknown type', 'hello', 'data-missing', { reason: 'unsupported-content-type' }],
    ['an incomplete record that was too large', { kind: 'call' }, 'not-storable'],
    ['a record that was too large, and is none', ofNone, 'not-storable'],
    ['a text in place of a record that was too large', 'x', 'not-storable'],
    ['another account’s record that was too large', ofOther, 'unknown-user', notStorable],
  ])('stays if it is %s', async (_title, body, problem, part = { reason: problem as never }) => {
    expect(await redriven(entryOf(body, part))).toBe(problem);
  });

  const asForm = Object.fromEntries(new URLSearchParams(JSON.stringify({ ...call, AudioFile: 'x?a=b&c' })));
  const withEvent = { ...call, Event: 'AgentDial', Status: 'Abandoned', EndTime: '2026-11-26 10:02:00' };
  it.each([
    ['a user name in another letter case', { ...call, UserName: 'DEMO' }, 'not-a-call-summary'],
    ['more records than a post may have', Array(501).fill(call), 'too-many-records'],
    ['JSON of an unknown type', JSON.stringify([call], null, 2), 'unsupported-content-type'],
    ['data in the query beside it', JSON.stringify({ data: JSON.stringify(call), body: '<a/>' }), 'too-many-fields'],
    ['a form of an unknown type', formOf(call), 'unsupported-content-type'],
    ['a form of an unknown type that is not encoded', `data=${JSON.stringify(call)}`, 'unsupported-content-type'],
    ['JSON that was taken for a form', asForm, 'data-missing'],
    ['a list of PHP', { 'data[]': [JSON.stringify(call)] }, 'data-missing'],
    ['the fields of a form', { Status: ['Answered'], monitorUCID: ['1'], Apikey: ['***'] }, 'data-missing'],
    ['a line end in a text', JSON.stringify({ ...call, Comments: '?' }).replace('?', 'line1\nline2'), 'broken-json'],
    ['a call with a column Event', withEvent, 'not-a-call-summary'],
    ['a call under a name', { calls: [call] }, 'not-a-call-summary'],
    ['a list in a list', [[call]], 'not-an-object'],
    ['a record of many fields', { ...call, ...manyFields }, 'too-many-fields'],
    ['a name many times', JSON.stringify(call).replace('}', `${',"x":"1"'.repeat(3_000)}}`), 'too-many-fields'],
    ['a wrapper of many fields', { ...manyFields, data: call }, 'too-many-fields'],
    ['a form of many fields', `${'x=1&'.repeat(2_000)}${formOf(call)}&Apikey=***`, 'too-many-fields'],
  ])('may be %s', async (_title, body, reason) => {
    expect(await redriven(entryOf(body, { reason }))).toHaveLength(1);
  });

  const blanks = ' '.repeat(2_000_000);
  const random = Array.from({ length: 40_000 }, (_, index) => contentHash(index)).join('');
  it.each([
    ['compressed', `${JSON.stringify(call)}${blanks}`, true],
    ['truncated', JSON.stringify({ ...call, Comments: `${random}${blanks}` }), false],
  ])('of more than 1 MB is redriven only where it is whole: %s', async (_title, body, isWhole) => {
    const entry = quarantineEntry({ reason: 'body-too-large', account: 'demo', body, receivedAt });

    expect(entry.bytes).toBeGreaterThan(2_000_000);
    expect(await redriven(entry)).toEqual(isWhole ? [expect.anything()] : 'body-truncated');
  });

  it('is read in the zone of the account', async () => {
    const entry = entryOf({ ...call, StartTime: '2026-11-20 10:00:00' });

    const facts = { startedAt: '2026-11-20T10:00:00.000Z' };
    expect(await redriven(entry, { timeZone: 'Europe/London' })).toMatchObject([{ facts }]);
  });

  const tooLong = 'x'.repeat(2_000_000);
  it.each<[string, Request, string?]>([
    ['broken JSON', { body: formOf('{"Apikey":"demo-key",') }],
    ['another post of the vendor', { body: formOf({ Event: 'Pop', Apikey: 'demo-key' }) }],
    ['one record of a list', { body: formOf([{ ...call, Apikey: 'demo-key' }, 'x']) }],
    ['a form without data', { body: 'other=1&Apikey=demo-key' }],
    ['a post that was too large', { body: formOf(`{"Apikey":"demo-key","a":"${tooLong}`) }, 'broken-json'],
  ])('stays for the receiver’s own reason: %s', async (_title, request, problem) => {
    const d = await deployment();
    await d.send(request);
    const entries = (await d.rows('quarantine')).filter(({ body }) => body !== undefined) as readonly Row[];

    expect(entries).toHaveLength(1);
    for (const entry of entries as readonly QuarantineEntry[])
      expect(await redriven(entry)).toBe(problem ?? entry.reason);
  });
});
