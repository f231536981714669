import { describe, expect, it } from 'vitest';
import type { Posted } from '../../../lib/callback/parse-envelope.ts';
import {
  maxContentBytes,
  maxRecords,
  type RejectionReason,
  rejectionResponses,
} from '../../../lib/callback/rejections.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { specificationParticipant as participant, specificationSummary as summary } from '../../fixtures/calls.ts';
import { receivedAt } from '../../support/call-records.ts';
import { formPost, memoryReceiver, receiptWith } from '../../support/memory-ports.ts';

describe('receiveCallback', () => {
  it('stores a summary under its account and id, with the time of its receipt', async () => {
    const { receive, calls } = memoryReceiver();

    expect(await receive(formPost(summary))).toEqual(receiptWith({ stored: 1 }));
    expect(calls.records()).toMatchObject([
      {
        key: { kind: 'call', account: 'demo', callId: '41781234567890123', part: 'main' },
        deliveries: [{ receivedAt }],
        revision: 1,
      },
    ]);
  });

  it('knows a repeat, though spelling, type of value and blanks differ', async () => {
    const { receive, calls } = memoryReceiver();
    await receive(formPost(summary));
    const { dId, AgentUniqueID, ...rest } = summary;
    const again = { ...rest, DID: dId, AgentUniqueID: String(AgentUniqueID), UUI: 'None', CallerConfAudioFile: null };

    expect(await receive(formPost(again))).toEqual(receiptWith({ duplicates: 1 }));
    expect(calls.records()).toMatchObject([{ version: 1 }]);
  });

  it('stores a summary twice in one post once', async () => {
    expect(await memoryReceiver().receive(formPost([summary, summary]))).toEqual(
      receiptWith({ stored: 1, duplicates: 1 }),
    );
  });

  it('stores summaries and participants of a list', async () => {
    const { receive, calls } = memoryReceiver();

    expect(await receive(formPost([summary, participant, { ...participant, CallID: 2 }]))).toEqual(
      receiptWith({ stored: 3 }),
    );
    expect(calls.records().map(({ key }) => key.kind)).toEqual(['call', 'participant', 'participant']);
  });

  it('stores participants whose key stands beside them', async () => {
    expect(await memoryReceiver().receive(formPost([participant], { Apikey: 'demo-key' }))).toEqual(
      receiptWith({ stored: 1 }),
    );
  });

  it('takes the key beside data, and at the secret address none', async () => {
    const { Apikey: _, ...keyless } = summary;

    expect(await memoryReceiver().receive(formPost(keyless, { apikey: 'demo-key' }))).toEqual(
      receiptWith({ stored: 1 }),
    );
    expect(await memoryReceiver().receive({ ...formPost(keyless), hasValidSecret: true })).toEqual(
      receiptWith({ stored: 1 }),
    );
  });

  it('belongs a post to the only account, where it names none at the secret address', async () => {
    const { Apikey: _key, UserName: _name, ...nameless } = summary;
    const { receive, calls } = memoryReceiver({}, { live: [demoAccount as never] });

    await receive({ ...formPost(nameless), hasValidSecret: true });

    expect(calls.records()[0]?.key.account).toBe('demo');
  });

  it('reads local times in the zone of the account', async () => {
    const { receive, calls } = memoryReceiver();
    await receive(formPost({ ...summary, Apikey: 'other-key', UserName: 'other' }));

    expect(calls.records()[0]).toMatchObject({
      key: { account: 'other' },
      facts: { startedAt: '2026-11-20T11:00:00.000Z', timeZone: 'Europe/London' },
    });
  });

  it.each([
    ['text', 'x', 'not-an-object', '"x"'],
    ['a number', 42, 'not-an-object', '"42"'],
    ['null', null, 'not-an-object', 'null'],
    ['a list', [summary], 'not-an-object', expect.any(String)],
    ['another post of the vendor', { event: 'x' }, 'not-a-call-summary', '{"event":"x"}'],
  ])('stores the good records of a list, and keeps %s apart', async (_title, bad, reason, body) => {
    const { receive, calls, quarantine } = memoryReceiver();

    expect(await receive(formPost([bad, summary]))).toEqual(receiptWith({ stored: 1, quarantined: 1 }));
    expect(calls.records()).toHaveLength(1);
    expect(quarantine.entries).toEqual([{ reason, account: 'demo', body, receivedAt }]);
  });

  it('keeps a participant that names no call among several apart', async () => {
    const { UCID: _, ...nameless } = participant;
    const { receive, quarantine } = memoryReceiver();

    expect(await receive(formPost([summary, { ...summary, monitorUCID: '2' }, nameless]))).toEqual(
      receiptWith({ stored: 2, quarantined: 1 }),
    );
    expect(quarantine.entries).toMatchObject([{ reason: 'participant-without-call' }]);
  });

  it('quarantines what the table can never take', async () => {
    const { receive, quarantine } = memoryReceiver({ calls: { record: async () => 'rejected' } });

    expect(await receive(formPost(summary))).toEqual(receiptWith({ quarantined: 1 }));
    expect(quarantine.entries).toMatchObject([
      { reason: 'not-storable', account: 'demo', body: expect.stringContaining('41781234567890123') },
    ]);
  });
});

const ofForm = (form: Record<string, string | string[]>): Posted => ({ content: { form }, query: {} });
const { Apikey: _key, ...keyless } = summary;
const { UCID: _ucid, ...nameless } = participant;
const other = { ...summary, Apikey: 'other-key', UserName: 'other' };
const broken = JSON.stringify(summary).slice(0, -1);

interface Row {
  readonly reason: RejectionReason;
  readonly post: Posted;
  /** The account whose quarantine keeps it; null: as a stranger's. */
  readonly keptFor: string | null;
}

const rejectedRow = (reason: RejectionReason, post: Posted, keptFor: string | null = null): Row => ({
  reason,
  post,
  keptFor,
});

const quarantinedRows: readonly Row[] = [
  rejectedRow('body-empty', ofForm({})),
  rejectedRow('data-missing', ofForm({ x: '1' })),
  rejectedRow('data-missing', ofForm({ Apikey: 'demo-key' }), 'demo'),
  rejectedRow('data-empty', ofForm({ data: '' })),
  rejectedRow('data-repeated', ofForm({ data: [JSON.stringify(summary), '{}'] }), 'demo'),
  rejectedRow('data-repeated', ofForm({ data: ['{}', '{}'], Apikey: 'demo-key' }), 'demo'),
  rejectedRow('broken-json', formPost('{')),
  rejectedRow('broken-json', formPost(broken), 'demo'),
  rejectedRow('broken-json', { content: { json: broken }, query: {} }, 'demo'),
  rejectedRow('broken-json', formPost(broken.replace('demo-key', 'stranger'))),
  rejectedRow('too-deep', formPost('['.repeat(21) + ']'.repeat(21))),
  rejectedRow('forbidden-key', formPost('{"Apikey":"demo-key","__proto__":{}}'), 'demo'),
  rejectedRow('not-an-object', formPost('12')),
  rejectedRow('not-an-object', formPost('"x"', { Apikey: 'demo-key' }), 'demo'),
  rejectedRow('no-records', formPost('[]')),
  rejectedRow('no-records', formPost('[]', { Apikey: 'demo-key' }), 'demo'),
  rejectedRow('not-a-call-summary', formPost({ event: 'screenpop', CallerID: '1' })),
  rejectedRow('not-a-call-summary', formPost({ event: 'screenpop', Apikey: 'demo-key' }), 'demo'),
  rejectedRow('not-a-call-summary', formPost([{ event: 'x', Apikey: 'demo-key' }, 'x']), 'demo'),
  rejectedRow('participant-without-call', formPost([nameless], { Apikey: 'demo-key' }), 'demo'),
  rejectedRow('mixed-accounts', formPost([summary, other]), 'demo'),
  rejectedRow('mixed-accounts', formPost(summary, { Apikey: 'other-key' }), 'other'),
];

const discarded: readonly (readonly [RejectionReason, string, Posted])[] = [
  ['key-missing', 'without a key', formPost(keyless)],
  ['key-missing', 'with a blank key', formPost({ ...summary, Apikey: 'None' })],
  ['key-missing', 'of participants alone', formPost([participant])],
  ['unknown-key', 'with an unknown key', formPost({ ...summary, Apikey: 'x' })],
  ['unknown-key', 'of which one key is unknown', formPost([summary, { ...summary, Apikey: 'x' }])],
  ['unknown-key', 'with an unknown key, though it is no summary', formPost({ event: 'x', Apikey: 'x' })],
  ['unknown-user', 'with another’s user name', formPost({ ...summary, UserName: 'other' })],
  ['body-too-large', 'above the limit', formPost(`"${'x'.repeat(maxContentBytes)}"`)],
];

describe('receiveCallback', () => {
  it.each(quarantinedRows)(
    'refuses a post as $reason, and keeps it for $keptFor',
    async ({ reason, post, keptFor }) => {
      const { receive, calls, quarantine } = memoryReceiver();

      expect(await receive(post)).toEqual({ reason, ...receiptWith({ quarantined: 1 }) });
      expect(calls.records()).toEqual([]);
      expect(quarantine.entries.map(({ account = null, ...entry }) => ({ account, ...entry }))).toEqual([
        { reason, account: keptFor, body: expect.any(String), receivedAt },
      ]);
    },
  );

  it.each(discarded)('refuses as %s a post %s, and keeps nothing of it', async (reason, _title, post) => {
    const { receive, calls, quarantine, parking } = memoryReceiver();

    expect(await receive(post)).toEqual({ reason, ...receiptWith({}) });
    expect([calls.records(), quarantine.entries, parking.bodies]).toEqual([[], [], []]);
  });

  it('takes 500 records a post, and keeps whole for its account what has more', async () => {
    const { receive, quarantine } = memoryReceiver();
    const post = (count: number) =>
      formPost(
        Array.from({ length: count }, (_, index) => ({ monitorUCID: String(index), Status: 'x', Apikey: 'demo-key' })),
      );

    expect(await receive(post(maxRecords))).toEqual(receiptWith({ stored: 500 }));
    expect(await receive(post(maxRecords + 1))).toEqual({
      reason: 'too-many-records',
      ...receiptWith({ quarantined: 1 }),
    });
    expect(quarantine.entries).toMatchObject([{ reason: 'too-many-records', account: 'demo' }]);
  });

  it('keeps a text that cannot be parsed for the one account whose secret address it came to', async () => {
    const { receive, quarantine } = memoryReceiver({}, { live: [{ userName: 'sole', apiKeys: ['k'] }] as never });
    await receive({ ...formPost('{'), hasValidSecret: true });

    expect(quarantine.entries).toMatchObject([{ account: 'sole', body: '{' }]);
    expect(quarantine.entries[0]).not.toHaveProperty('viaSecret');
  });

  it.each([
    ['is no call summary', '{"UserName":"other","foo":1}', 'not-a-call-summary'],
    ['cannot be parsed', '{"UserName":', 'broken-json'],
  ])('keeps whole what %s and came to the secret address, though not whose it is', async (_title, post, reason) => {
    const { receive, quarantine } = memoryReceiver();
    const answer = await receive({ ...formPost(post), hasValidSecret: true });

    expect(answer).toEqual({ reason, ...receiptWith({ quarantined: 1 }) });
    expect(quarantine.entries).toMatchObject([{ reason, viaSecret: true }]);
    expect(quarantine.entries[0]).toHaveProperty('account', undefined);
  });

  it('counts what strangers left beyond the bound, and answers the same', async () => {
    const { receive, telemetry } = memoryReceiver({ quarantine: { store: async () => 'dropped' } });

    expect(await receive(formPost('{'))).toEqual({ reason: 'broken-json', ...receiptWith({}) });
    expect(telemetry.counts).toMatchObject({ QuarantineDropped: 1 });
  });

  it('has a row for everything that a post’s content is refused for', () => {
    const elsewhere = [
      'too-many-fields',
      'unsupported-content-type',
      'too-many-records',
      'not-storable',
      'callback-secret-wrong',
    ];
    const covered = new Set<string>([
      ...quarantinedRows.map(({ reason }) => reason),
      ...discarded.map(([reason]) => reason),
    ]);
    const refusals = Object.entries(rejectionResponses).filter(([, { status }]) => status < 500);

    expect(refusals.map(([reason]) => reason).filter((reason) => !covered.has(reason))).toEqual(elsewhere);
  });
});

const url = 'https://r.example.com/1.mp3';

const afterPosts = async (...posts: readonly object[]) => {
  const { receive, calls } = memoryReceiver();
  for (const post of posts) await receive(formPost({ ...summary, ...post }));
  return calls.records()[0];
};

/** How the same call comes more than once. */
describe('a call that is delivered more than once', () => {
  it('is one record with one revision, posted twice at once', async () => {
    const { receive, calls } = memoryReceiver();
    const answers = await Promise.all([receive(formPost(summary)), receive(formPost(summary))]);

    expect(answers).toEqual([receiptWith({ stored: 1 }), receiptWith({ duplicates: 1 })]);
    expect(calls.records()).toMatchObject([{ revision: 1, deliveries: [{}] }]);
  });

  it.each([
    ['no disposition', { Disposition: '' }, { Disposition: 'Sale' }],
    ['the automatic disposition', { Disposition: 'Wrap up time exceeded :120' }, { Disposition: 'Sale' }],
    ['no disposition, in the wrong order', { Disposition: 'Sale' }, { Disposition: '' }],
    ['the automatic one, in the wrong order', { Disposition: 'Sale' }, { Disposition: 'Wrap up time exceeded :120' }],
  ])('has the agent’s disposition in the end, first with %s', async (_title, first, second) => {
    expect((await afterPosts(first, second))?.facts['dispositions']).toEqual(['Sale']);
  });

  it('keeps what a late, poorer delivery lacks', async () => {
    const record = await afterPosts(
      { AudioFile: url, Disposition: 'Sale' },
      { Status: 'NotAnswered', AudioFile: '', Disposition: '', CallDuration: '00:00:00', HangupBy: 'SystemHangup' },
    );

    expect(record?.facts).toMatchObject({
      status: 'answered',
      recordings: [url],
      dispositions: ['Sale'],
      callDurationSeconds: 250,
      hangupBy: 'user',
    });
    expect(record?.deliveries).toHaveLength(2);
    expect(record?.revision).toBe(1);
  });
});
