import { describe, expect, it } from 'vitest';
import type { Posted } from '../../../lib/callback/open-envelope.ts';
import { answers, maxContentBytes, maxRecords, type RefusalReason } from '../../../lib/callback/refusal.ts';
import { specificationSummary as summary } from '../../fixtures/call-summaries.ts';
import { specificationParticipant as participant } from '../../fixtures/participants.ts';
import { receivedAt } from '../support/facts-of.ts';
import { counts, formPost, memoryReceiver } from '../support/receiver.ts';

const ofForm = (form: Record<string, string | string[]>): Posted => ({ content: { form }, query: {} });
const { Apikey: _key, ...keyless } = summary;
const { UCID: _ucid, ...nameless } = participant;
const other = { ...summary, Apikey: 'other-key', UserName: 'other' };
const broken = JSON.stringify(summary).slice(0, -1);

interface Row {
  readonly reason: RefusalReason;
  readonly post: Posted;
  /** The account whose quarantine keeps it; null: as a stranger's. */
  readonly keptFor: string | null;
}

const kept = (reason: RefusalReason, post: Posted, keptFor: string | null = null): Row => ({ reason, post, keptFor });

const keptRows: readonly Row[] = [
  kept('body-empty', ofForm({})),
  kept('data-missing', ofForm({ x: '1' })),
  kept('data-missing', ofForm({ Apikey: 'demo-key' }), 'demo'),
  kept('data-empty', ofForm({ data: '' })),
  kept('data-repeated', ofForm({ data: [JSON.stringify(summary), '{}'] }), 'demo'),
  kept('data-repeated', ofForm({ data: ['{}', '{}'], Apikey: 'demo-key' }), 'demo'),
  kept('broken-json', formPost('{')),
  kept('broken-json', formPost(broken), 'demo'),
  kept('broken-json', { content: { json: broken }, query: {} }, 'demo'),
  kept('broken-json', formPost(broken.replace('demo-key', 'stranger'))),
  kept('too-deep', formPost('['.repeat(21) + ']'.repeat(21))),
  kept('forbidden-key', formPost('{"Apikey":"demo-key","__proto__":{}}'), 'demo'),
  kept('not-an-object', formPost('12')),
  kept('not-an-object', formPost('"x"', { Apikey: 'demo-key' }), 'demo'),
  kept('no-records', formPost('[]')),
  kept('no-records', formPost('[]', { Apikey: 'demo-key' }), 'demo'),
  kept('not-a-call-summary', formPost({ event: 'screenpop', CallerID: '1' })),
  kept('not-a-call-summary', formPost({ event: 'screenpop', Apikey: 'demo-key' }), 'demo'),
  kept('not-a-call-summary', formPost([{ event: 'x', Apikey: 'demo-key' }, 'x']), 'demo'),
  kept('participant-without-call', formPost([nameless], { Apikey: 'demo-key' }), 'demo'),
  kept('mixed-accounts', formPost([summary, other]), 'demo'),
  kept('mixed-accounts', formPost(summary, { Apikey: 'other-key' }), 'other'),
];

const forgotten: readonly (readonly [RefusalReason, string, Posted])[] = [
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
  it.each(keptRows)('refuses a post as $reason, and keeps it for $keptFor', async ({ reason, post, keptFor }) => {
    const { receive, calls, quarantine } = memoryReceiver();

    expect(await receive(post)).toEqual({ reason, ...counts({ quarantined: 1 }) });
    expect(calls.records()).toEqual([]);
    expect(quarantine.entries.map(({ account = null, ...entry }) => ({ account, ...entry }))).toEqual([
      { reason, account: keptFor, body: expect.any(String), receivedAt },
    ]);
  });

  it.each(forgotten)('refuses as %s a post %s, and keeps nothing of it', async (reason, _title, post) => {
    const { receive, calls, quarantine, parking } = memoryReceiver();

    expect(await receive(post)).toEqual({ reason, ...counts({}) });
    expect([calls.records(), quarantine.entries, parking.bodies]).toEqual([[], [], []]);
  });

  it('takes 500 records a post, and keeps whole for its account what has more', async () => {
    const { receive, quarantine } = memoryReceiver();
    const post = (count: number) =>
      formPost(
        Array.from({ length: count }, (_, index) => ({ monitorUCID: String(index), Status: 'x', Apikey: 'demo-key' })),
      );

    expect(await receive(post(maxRecords))).toEqual(counts({ stored: 500 }));
    expect(await receive(post(maxRecords + 1))).toEqual({ reason: 'too-many-records', ...counts({ quarantined: 1 }) });
    expect(quarantine.entries).toMatchObject([{ reason: 'too-many-records', account: 'demo' }]);
  });

  it('keeps a text that cannot be parsed for the one account whose secret address it came to', async () => {
    const { receive, quarantine } = memoryReceiver({}, { live: [{ userName: 'sole', apiKeys: ['k'] }] as never });
    await receive({ ...formPost('{'), secretProven: true });

    expect(quarantine.entries).toMatchObject([{ account: 'sole', body: '{' }]);
    expect(quarantine.entries[0]).not.toHaveProperty('viaSecret');
  });

  it.each([
    ['is no call summary', '{"UserName":"other","foo":1}', 'not-a-call-summary'],
    ['cannot be parsed', '{"UserName":', 'broken-json'],
  ])('keeps whole what %s and came to the secret address, though not whose it is', async (_title, post, reason) => {
    const { receive, quarantine } = memoryReceiver();
    const answer = await receive({ ...formPost(post), secretProven: true });

    expect(answer).toEqual({ reason, ...counts({ quarantined: 1 }) });
    expect(quarantine.entries).toMatchObject([{ reason, viaSecret: true }]);
    expect(quarantine.entries[0]).toHaveProperty('account', undefined);
  });

  it('counts what strangers left beyond the bound, and answers the same', async () => {
    const { receive, telemetry } = memoryReceiver({ quarantine: { keep: async () => 'dropped' } });

    expect(await receive(formPost('{'))).toEqual({ reason: 'broken-json', ...counts({}) });
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
    const covered = new Set<string>([...keptRows.map(({ reason }) => reason), ...forgotten.map(([reason]) => reason)]);
    const refusals = Object.entries(answers).filter(([, { status }]) => status < 500);

    expect(refusals.map(([reason]) => reason).filter((reason) => !covered.has(reason))).toEqual(elsewhere);
  });
});
