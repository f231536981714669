import { describe, expect, it } from 'vitest';
import { keyFingerprint } from '../../../lib/accounts/accounts.ts';
import type { Posted } from '../../../lib/callback/parse-envelope.ts';
import { bodyOf } from '../../../lib/callback/quarantine.ts';
import {
  maxContentBytes,
  maxRecords,
  type RejectionReason,
  rejectionResponses,
} from '../../../lib/callback/rejections.ts';
import type { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { discarded } from '../../../lib/callback/store-or-park.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { specificationParticipant as participant, specificationSummary as summary } from '../../fixtures/calls.ts';
import { receivedAt } from '../../support/call-records.ts';
import { formPost, memoryReceiver, receiptWith } from '../../support/memory-ports.ts';

const { Apikey: _key, ...keyless } = summary;
const { UCID: _ucid, ...nameless } = participant;
const ofOther = { ...summary, Apikey: 'other-key', UserName: 'other' };

describe('receiveCallback stores', () => {
  it('a summary under its account and id, with the time of its receipt', async () => {
    const { receive, calls } = memoryReceiver();

    expect(await receive(formPost(summary))).toEqual(receiptWith({ stored: 1 }));
    expect(calls.records()).toMatchObject([
      {
        key: { kind: 'call', account: 'demo', callId: '41781234567890123' },
        deliveries: [{ receivedAt }],
        revision: 1,
      },
    ]);
  });

  it('a repeat once, though spellings, types and blanks differ', async () => {
    const { receive, calls } = memoryReceiver();
    await receive(formPost(summary));
    const { dId, AgentUniqueID, ...rest } = summary;
    const repeat = { ...rest, DID: dId, AgentUniqueID: String(AgentUniqueID), UUI: 'None', CallerConfAudioFile: null };

    expect(await receive(formPost(repeat))).toEqual(receiptWith({ duplicates: 1 }));
    expect(calls.records()).toMatchObject([{ version: 1 }]);
  });

  it('summaries and participants of a list', async () => {
    const { receive, calls } = memoryReceiver();

    expect(
      await receive(formPost([summary, participant, { ...participant, ParticipantNumber: '2' }, summary])),
    ).toEqual(receiptWith({ stored: 3, duplicates: 1 }));
    expect(calls.records().map(({ key }) => key.kind)).toEqual(['call', 'participant', 'participant']);
  });

  it.each([
    ['participants with a key beside data', formPost([participant], { Apikey: 'demo-key' })],
    ['a summary with a key beside data', formPost(keyless, { apikey: 'demo-key' })],
    ['a summary without a key at the secret address', { ...formPost(keyless), hasValidSecret: true }],
  ])('%s', async (_title, post) => {
    expect(await memoryReceiver().receive(post)).toEqual(receiptWith({ stored: 1 }));
  });

  it('a post without a name at the secret address for the only account', async () => {
    const { UserName: _name, ...anonymous } = keyless;
    const { receive, calls } = memoryReceiver({}, { live: [demoAccount as never] });
    await receive({ ...formPost(anonymous), hasValidSecret: true });

    expect(calls.records()[0]?.key.account).toBe('demo');
  });

  it('local times in the zone of the account', async () => {
    const { receive, calls } = memoryReceiver();
    await receive(formPost(ofOther));

    expect(calls.records()[0]).toMatchObject({
      key: { account: 'other' },
      facts: { startedAt: '2026-11-20T11:00:00.000Z', timeZone: 'Europe/London' },
    });
  });

  it.each([
    ['a text', 'x', 'not-an-object', '"x"'],
    ['a number', 42, 'not-an-object', '42'],
    ['null', null, 'not-an-object', 'null'],
    ['a list', [summary], 'not-an-object', expect.any(String)],
    ['another post of the vendor', { event: 'x' }, 'not-a-call-summary', '{"event":"x"}'],
  ])('the good records of a list, and quarantines %s', async (_title, bad, reason, body) => {
    const { receive, calls, quarantine } = memoryReceiver();

    expect(await receive(formPost([bad, summary]))).toEqual(receiptWith({ stored: 1, quarantined: 1, reason }));
    expect(calls.records()).toHaveLength(1);
    expect(quarantine.entries).toEqual([{ reason, account: 'demo', body, receivedAt }]);
  });

  it('two calls, and quarantines a participant that names neither', async () => {
    const { receive, quarantine } = memoryReceiver();

    expect(await receive(formPost([summary, { ...summary, monitorUCID: '2' }, nameless]))).toEqual(
      receiptWith({ stored: 2, quarantined: 1, reason: 'participant-without-call' }),
    );
    expect(quarantine.entries).toMatchObject([{ reason: 'participant-without-call' }]);
  });

  it('a list with several bad records, and returns the reason of the first that is no participant', async () => {
    const calls = [summary, { ...summary, monitorUCID: '2' }];

    for (const bad of [
      [42, nameless],
      [nameless, 42],
    ])
      expect(await memoryReceiver().receive(formPost([...calls, ...bad]))).toMatchObject({
        quarantined: 2,
        reason: 'not-an-object',
      });
  });

  it('300 summaries of more than 256 KB together', async () => {
    const list = Array.from({ length: 300 }, (_, index) => ({ ...summary, monitorUCID: String(index) }));
    const { receive } = memoryReceiver();

    expect(JSON.stringify(list).length).toBeGreaterThan(256 * 1024);
    expect(await receive(formPost(list))).toEqual(receiptWith({ stored: 300 }));
  });

  it('in quarantine what the calls table can never hold', async () => {
    const { receive, quarantine } = memoryReceiver({ calls: { record: async () => 'rejected' } });

    expect(await receive(formPost(summary))).toEqual(receiptWith({ quarantined: 1, reason: 'not-storable' }));
    expect(quarantine.entries).toMatchObject([
      { reason: 'not-storable', account: 'demo', body: expect.stringContaining('41781234567890123') },
    ]);
  });
});

const ofForm = (form: Record<string, string | string[]>): Posted => ({ content: { form }, query: {} });
const broken = JSON.stringify(summary).slice(0, -1);

interface Row {
  readonly reason: RejectionReason;
  readonly post: Posted;
  /** The account of the quarantine entry; null for an unknown sender. */
  readonly owner: string | null;
}

const row = (reason: RejectionReason, post: Posted, owner: string | null = null): Row => ({ reason, post, owner });

const unread = (reason: RejectionReason, text: string): Posted => ({ content: { unread: text, reason }, query: {} });

const quarantined: readonly Row[] = [
  row('body-empty', ofForm({})),
  row('data-missing', ofForm({ x: '1' })),
  row('data-missing', ofForm({ Apikey: 'demo-key' }), 'demo'),
  row('data-empty', ofForm({ data: '' })),
  row('data-repeated', ofForm({ data: [JSON.stringify(summary), '{}'] }), 'demo'),
  row('data-repeated', ofForm({ data: ['{}', '{}'], Apikey: 'demo-key' }), 'demo'),
  row('broken-json', formPost('{')),
  row('broken-json', formPost(broken), 'demo'),
  row('broken-json', { content: { json: broken }, query: {} }, 'demo'),
  row('broken-json', formPost(broken.replace('demo-key', 'unknown'))),
  row('broken-json', formPost('{', { Apikey: 'demo-key' }), 'demo'),
  row('broken-json', { content: { json: JSON.stringify({ Apikey: 'demo-key', data: '{' }) }, query: {} }, 'demo'),
  row('data-empty', { content: { json: '{"data":" "}' }, query: { Apikey: 'demo-key' } }, 'demo'),
  row('too-deep', formPost('['.repeat(21) + ']'.repeat(21))),
  row('forbidden-key', formPost('{"Apikey":"demo-key","__proto__":{}}'), 'demo'),
  row('not-an-object', formPost('12')),
  row('not-an-object', formPost('"x"', { Apikey: 'demo-key' }), 'demo'),
  row('no-records', formPost('[]')),
  row('no-records', formPost('[]', { Apikey: 'demo-key' }), 'demo'),
  row('not-a-call-summary', formPost({ event: 'screenpop', CallerID: '1' })),
  row('not-a-call-summary', formPost({ event: 'screenpop', Apikey: 'demo-key' }), 'demo'),
  row('not-a-call-summary', formPost([{ event: 'x', Apikey: 'demo-key' }, 'x']), 'demo'),
  row('participant-without-call', formPost([nameless], { Apikey: 'demo-key' }), 'demo'),
  row('mixed-accounts', formPost([summary, ofOther]), 'demo'),
  row('mixed-accounts', formPost(summary, { Apikey: 'other-key' }), 'other'),
  row('too-many-fields', unread('too-many-fields', 'x=1&Apikey=demo-key'), 'demo'),
  row('unsupported-content-type', unread('unsupported-content-type', `data=${encodeURIComponent(broken)}`), 'demo'),
  row('unknown-key', formPost([summary, { ...summary, Apikey: 'x' }]), 'demo'),
  row('unknown-key', formPost([{ ...summary, Apikey: 'x' }, summary]), 'demo'),
  row('unknown-user', formPost({ ...summary, UserName: 'other' }), 'demo'),
];

const strangersPosts: readonly (readonly [RejectionReason, string, Posted])[] = [
  ['key-missing', 'without a key', formPost(keyless)],
  ['key-missing', 'with a blank key', formPost({ ...summary, Apikey: 'None' })],
  ['key-missing', 'with participants only', formPost([participant])],
  ['unknown-key', 'with an unknown key', formPost({ ...summary, Apikey: 'x' })],
  ['unknown-key', 'with an unknown key and no call', formPost({ event: 'x', Apikey: 'x' })],
  ['body-too-large', 'above the size limit', formPost(`"${'x'.repeat(maxContentBytes)}"`)],
  ['too-many-fields', 'of many fields', unread('too-many-fields', 'x=1')],
  ['unsupported-content-type', 'of an unknown type', unread('unsupported-content-type', '<xml/>')],
];

describe('receiveCallback rejects', () => {
  it.each(quarantined)(
    'a post as $reason, and quarantines it for $owner, to whom alone it is acknowledged',
    async ({ reason, post, owner }) => {
      const { receive, calls, quarantine } = memoryReceiver();

      const isAcknowledged = owner !== null;

      expect(await receive(post)).toEqual({ reason, isAcknowledged, ...receiptWith({ quarantined: 1 }) });
      expect(calls.records()).toEqual([]);
      expect(
        quarantine.entries.map(({ account = null, keyFingerprints: _, ...entry }) => ({ account, ...entry })),
      ).toEqual([{ reason, account: owner, body: expect.any(String), receivedAt }]);
    },
  );

  it.each(strangersPosts)('as %s a post %s, and stores nothing of it', async (reason, _title, post) => {
    const { receive, calls, quarantine, parking } = memoryReceiver();

    expect(await receive(post)).toEqual(discarded(reason));
    expect([calls.records(), quarantine.entries, parking.bodies]).toEqual([[], [], []]);
  });

  it('more than 500 records in a post, and quarantines all of them for the account', async () => {
    const { receive, quarantine } = memoryReceiver();
    const records = Array.from({ length: maxRecords + 1 }, (_, index) => ({
      monitorUCID: String(index),
      Status: 'x',
      Apikey: 'demo-key',
    }));

    expect(await receive(formPost(records.slice(1)))).toEqual(receiptWith({ stored: 500 }));
    expect(await receive(formPost(records))).toEqual({
      reason: 'too-many-records',
      isAcknowledged: true,
      ...receiptWith({ quarantined: 1 }),
    });
    expect(quarantine.entries).toMatchObject([{ reason: 'too-many-records', account: 'demo' }]);
  });

  it.each([
    ['with a live key', formPost({ ...summary, Comments: 'x'.repeat(2 * maxContentBytes) }), { account: 'demo' }],
    [
      'with a live key beside it',
      formPost({ ...keyless, Comments: 'x'.repeat(2 * maxContentBytes) }, { Apikey: 'demo-key' }),
      { account: 'demo' },
    ],
    [
      'at the secret address',
      { ...formPost({ ...keyless, Comments: 'x'.repeat(2 * maxContentBytes) }), hasValidSecret: true },
      { viaSecret: true },
    ],
  ])('a post above the size limit %s, and quarantines it whole', async (_title, post, sender) => {
    const { receive, quarantine, everything } = memoryReceiver();

    expect(await receive(post)).toEqual({
      reason: 'body-too-large',
      isAcknowledged: true,
      ...receiptWith({ quarantined: 1 }),
    });
    expect(quarantine.entries).toMatchObject([{ reason: 'body-too-large', storedAs: 'gzip', ...sender }]);
    const [entry] = quarantine.entries as [QuarantineEntry];
    expect(bodyOf(entry)).toContain('x'.repeat(2 * maxContentBytes));
    expect(bodyOf(entry) + everything()).not.toContain('demo-key');
  });

  it('broken content, and quarantines it for the only account if it came to the secret address', async () => {
    const { receive, quarantine } = memoryReceiver({}, { live: [{ userName: 'sole', apiKeys: ['k'] }] as never });
    await receive({ ...formPost('{'), hasValidSecret: true });

    expect(quarantine.entries).toMatchObject([{ account: 'sole', body: '{' }]);
    expect(quarantine.entries[0]).not.toHaveProperty('viaSecret');
  });

  it.each([
    ['is no call summary', '{"UserName":"other","foo":1}', 'not-a-call-summary'],
    ['cannot be parsed', '{"UserName":', 'broken-json'],
  ])('what %s, and quarantines it without account if it came to the secret address', async (_title, post, reason) => {
    const { receive, quarantine } = memoryReceiver();
    const answer = await receive({ ...formPost(post), hasValidSecret: true });

    expect(answer).toEqual({ reason, isAcknowledged: true, ...receiptWith({ quarantined: 1 }) });
    expect(quarantine.entries).toMatchObject([{ reason, viaSecret: true }]);
    expect(quarantine.entries[0]).toHaveProperty('account', undefined);
  });

  it.each([
    ['a call', { ...summary, Apikey: 'new-key-77' }],
    ['a list with a live key', [summary, { ...summary, Apikey: 'new-key-77', Comments: 'new-key-77' }]],
    ['another kind of post', { event: 'popup', apiKey: 'new-key-77' }],
  ])(
    '%s with an unknown key at the secret address, and quarantines it whole with the key’s fingerprint',
    async (_title, data) => {
      const { receive, calls, quarantine, accounts, everything } = memoryReceiver();
      const answer = await receive({ ...formPost(data), hasValidSecret: true });

      expect(answer).toEqual({ reason: 'unknown-key', isAcknowledged: true, ...receiptWith({ quarantined: 1 }) });
      expect(accounts.counts.refreshed).toBe(1);
      expect(calls.records()).toEqual([]);
      expect(quarantine.entries).toMatchObject([
        { reason: 'unknown-key', keyFingerprints: expect.arrayContaining([keyFingerprint('new-key-77')]) },
      ]);
      expect(everything()).not.toContain('new-key-77');
    },
  );

  it('a post of an unknown sender beyond the limit with the same answer, and counts it', async () => {
    const { receive, telemetry } = memoryReceiver({ quarantine: { store: async () => 'dropped' } });

    expect(await receive(formPost('{'))).toEqual(discarded('broken-json'));
    expect(telemetry.counts).toMatchObject({ QuarantineDropped: 1 });
  });

  it('for every reason below 500 that the tables above list, apart from these', () => {
    const covered = new Set<string>([
      ...quarantined.map(({ reason }) => reason),
      ...strangersPosts.map(([reason]) => reason),
    ]);
    const missing = Object.entries(rejectionResponses).flatMap(([reason, { status }]) =>
      status < 500 && !covered.has(reason) ? reason : [],
    );

    expect(missing).toEqual([
      'too-many-records',
      'not-storable',
      'not-found',
      'method-not-allowed',
      'callback-secret-wrong',
    ]);
  });
});
