import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsPlaceholder, rejectPlaceholder } from '../../../lib/accounts/accounts.ts';
import type { Posted } from '../../../lib/callback/parse-envelope.ts';
import { demoAccount, sentinelKey } from '../../fixtures/accounts.ts';
import {
  specificationParticipant,
  specificationSummary,
  specificationSummary as summary,
} from '../../fixtures/calls.ts';
import { receivedAt } from '../../support/call-records.ts';
import { fixedAccounts, formPost, memoryReceiver, receiptWith, unavailable } from '../../support/memory-ports.ts';
import { holdsAsync } from '../../support/property.ts';

describe('receiveCallback', () => {
  const list = [summary, { ...summary, monitorUCID: '8' }, 'x'];

  it('parks a delivery while the table is down, normalised and with the time of its receipt', async () => {
    const { receive, parking, telemetry } = memoryReceiver({ calls: { record: unavailable } });

    expect(await receive(formPost(summary))).toEqual(receiptWith({ parked: 1 }));
    expect(parking.bodies.map((body) => JSON.parse(body))).toMatchObject([
      { kind: 'delivery', key: { callId: '41781234567890123' }, delivery: { receivedAt } },
    ]);
    expect(telemetry.places()).toEqual(['call-store']);
  });

  it('parks only what the table did not take', async () => {
    const flaky = memoryReceiver();
    const record: typeof flaky.calls.record = (key, ...rest) =>
      key.callId === '8' ? unavailable() : flaky.calls.record(key, ...rest);
    const { receive, parking } = memoryReceiver({ calls: { record } });

    expect(await receive(formPost(list))).toEqual(receiptWith({ stored: 1, quarantined: 1, parked: 1 }));
    expect(parking.bodies).toHaveLength(1);
  });

  it('parks what was not understood while quarantine is down, and still says what was wrong', async () => {
    const { receive, parking, telemetry } = memoryReceiver({ quarantine: { store: unavailable } });

    const broken = formPost('{"Apikey":"demo-key",');
    expect(await receive(broken)).toEqual({ reason: 'broken-json', ...receiptWith({ parked: 1 }) });
    expect(parking.bodies.map((body) => JSON.parse(body))).toMatchObject([{ kind: 'quarantine' }]);
    expect(telemetry.places()).toEqual(['quarantine']);
  });

  it('parks a delivery that the table cannot take while quarantine is down', async () => {
    const { receive, parking } = memoryReceiver({
      calls: { record: async () => 'rejected' },
      quarantine: { store: unavailable },
    });

    expect(await receive(formPost(summary))).toEqual(receiptWith({ parked: 1 }));
    expect(parking.bodies.map((body) => JSON.parse(body))).toMatchObject([{ kind: 'delivery' }]);
  });

  it('acknowledges nothing when neither table nor queue takes a delivery', async () => {
    const { receive, telemetry } = memoryReceiver({ calls: { record: unavailable }, parking: { park: unavailable } });

    expect(await receive(formPost(summary))).toEqual({ reason: 'stores-unavailable', ...receiptWith({}) });
    expect(telemetry.places()).toEqual(['call-store', 'parking']);
  });

  it('acknowledges nothing of a list of which one record could be kept nowhere', async () => {
    const { receive, calls } = memoryReceiver({ quarantine: { store: unavailable }, parking: { park: unavailable } });

    expect(await receive(formPost(list))).toEqual({ reason: 'stores-unavailable', ...receiptWith({}) });
    expect(calls.records()).toHaveLength(2);
  });

  it('leaves the queue alone while the tables are up', async () => {
    expect(await memoryReceiver({ parking: { park: unavailable } }).receive(formPost(list))).toEqual(
      receiptWith({ stored: 2, quarantined: 1 }),
    );
  });

  it('acknowledges nothing while the accounts cannot be read', async () => {
    const { receive, telemetry } = memoryReceiver({ accounts: { ...fixedAccounts(), current: unavailable } });

    expect(await receive(formPost(summary))).toEqual({ reason: 'accounts-unavailable', ...receiptWith({}) });
    expect(telemetry.places()).toEqual(['accounts']);
    expect(telemetry.counts).toEqual({ AccountsUnreadable: 1 });
  });

  it('says that there are no accounts yet while nobody has filled in their secret', async () => {
    const current = async () => {
      rejectPlaceholder(accountsPlaceholder);
      throw new Error('not refused');
    };
    const { receive, telemetry } = memoryReceiver({ accounts: { ...fixedAccounts(), current } });

    expect(await receive(formPost(summary))).toEqual({ reason: 'accounts-not-set-up', ...receiptWith({}) });
    expect(telemetry.counts).toEqual({ AccountsUnreadable: 1 });
  });

  it('believes a key that was added a moment ago, after reading the accounts once more', async () => {
    const rotated = [{ ...demoAccount, apiKeys: ['demo-key', 'fresh-key-77'] }] as never;
    const { receive, accounts } = memoryReceiver({}, { rotated });

    expect(await receive(formPost({ ...summary, Apikey: 'fresh-key-77' }))).toEqual(receiptWith({ stored: 1 }));
    expect(accounts.counts).toEqual({ current: 1, refreshed: 1 });
  });

  it('keeps a key that was added a moment ago out of all that is kept', async () => {
    const rotated = [{ ...demoAccount, apiKeys: ['demo-key', 'fresh-key-77'] }] as never;
    const { receive, everything } = memoryReceiver({}, { rotated });
    await receive(formPost([{ ...summary, Apikey: 'fresh-key-77', Comments: 'see fresh-key-77' }, 'fresh-key-77']));

    expect(everything()).not.toContain('fresh-key-77');
  });

  it('refuses an unknown key while the accounts cannot be read once more', async () => {
    const { receive, telemetry } = memoryReceiver({ accounts: { ...fixedAccounts(), refresh: unavailable } });

    expect(await receive(formPost({ ...summary, Apikey: 'x' }))).toEqual({ reason: 'unknown-key', ...receiptWith({}) });
    expect(telemetry.places()).toEqual(['accounts']);
    expect(telemetry.counts).toMatchObject({ AccountsStale: 1 });
    expect(telemetry.counts).not.toHaveProperty('AccountsUnreadable');
  });

  it.each([
    ['a live key', summary],
    ['no key', { ...summary, Apikey: '' }],
    ['another’s user name', { ...summary, UserName: 'other' }],
  ])('does not read the accounts once more for %s', async (_title, post) => {
    const { receive, accounts } = memoryReceiver();
    await receive(formPost(post));

    expect(accounts.counts.refreshed).toBe(0);
  });
});

describe('an account’s key', () => {
  const summary = { ...specificationSummary, Apikey: sentinelKey };
  const withKey = (text: string) => `${text} ${sentinelKey}`;
  const recording = `https://r.example.com/1.mp3?key=${sentinelKey}`;

  const posts: readonly (readonly [string, Posted])[] = [
    ['a call summary', formPost(summary)],
    ['a list with a participant', formPost([summary, { ...specificationParticipant, Apikey: sentinelKey }])],
    ['a comment that repeats it', formPost({ ...summary, Comments: withKey('key') })],
    ['a recording’s URL', formPost({ ...summary, AudioFile: recording, CallerConfAudioFile: recording })],
    ['unknown and nested fields', formPost({ ...summary, more: { a: [sentinelKey] }, [sentinelKey]: '1' })],
    ['an id', formPost({ ...summary, monitorUCID: sentinelKey, CallID: sentinelKey })],
    ['a field beside data', formPost(specificationSummary, { Apikey: sentinelKey })],
    ['broken JSON', formPost(JSON.stringify(summary).slice(0, -1))],
    ['JSON that breaks off within it', formPost(`{"Apikey":"${sentinelKey}`)],
    ['a form without data', { content: { form: { Apikey: sentinelKey, note: withKey('x') } }, query: {} }],
    ['repeated data', { content: { form: { data: [JSON.stringify(summary), sentinelKey] } }, query: {} }],
    [
      'another post of the vendor',
      formPost({ event: 'x', Apikey: sentinelKey, nested: { ApiKey: 'y', z: sentinelKey } }),
    ],
    ['JSON in JSON that is not understood', formPost({ event: 'x', body: JSON.stringify(summary) })],
    ['a form sent as JSON', { content: { json: `Apikey=${sentinelKey}&data=%7B` }, query: {} }],
    ['a list with a bad record', formPost([summary, withKey('x'), { Apikey: sentinelKey }])],
  ];

  it.each(posts)('in %s is in no table, answer, queue and metric', async (_title, post) => {
    const { receive, everything } = memoryReceiver();
    const answer = await receive(post);

    expect(everything() + JSON.stringify(answer)).not.toContain(sentinelKey);
    expect(everything()).not.toBe(JSON.stringify([[], [], [], {}]));
  });

  it.each(posts)('in %s is not in what is parked', async (_title, post) => {
    const { receive, parking } = memoryReceiver({ calls: { record: unavailable }, quarantine: { store: unavailable } });
    await receive(post);

    expect(parking.bodies.join()).not.toContain(sentinelKey);
  });

  it('is in nothing that is kept, wherever it stands in a text that cannot be parsed', async () => {
    const text = JSON.stringify({ ...summary, Comments: withKey('x') });
    await holdsAsync(
      fc.asyncProperty(fc.nat({ max: text.length }), fc.constantFrom('', '"', '{', ',', '\\'), async (at, slip) => {
        const { receive, everything } = memoryReceiver();
        await receive(formPost(text.slice(0, at) + slip + text.slice(at + slip.length)));

        expect(everything()).not.toContain(sentinelKey);
      }),
      300,
    );
  });
});
