import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsPlaceholder, rejectPlaceholder } from '../../../lib/accounts/accounts.ts';
import type { Posted } from '../../../lib/callback/parse-envelope.ts';
import { discarded } from '../../../lib/callback/store-or-park.ts';
import { demoAccount, sentinelKey } from '../../fixtures/accounts.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { receivedAt } from '../../support/call-records.ts';
import { fixedAccounts, formPost, memoryReceiver, receiptWith, unavailable } from '../../support/memory-ports.ts';
import { holdsAsync } from '../../support/property.ts';

describe('receiveCallback', () => {
  it('parks a normalised delivery with the time of its receipt while the table is down', async () => {
    const { receive, parking, telemetry } = memoryReceiver({ calls: { record: unavailable } });

    expect(await receive(formPost(specificationSummary))).toEqual(receiptWith({ parked: 1 }));
    expect(parking.bodies.map((body) => JSON.parse(body))).toMatchObject([
      { kind: 'delivery', key: { callId: '41781234567890123' }, delivery: { receivedAt } },
    ]);
    expect(telemetry.places()).toEqual(['call-store']);
  });

  it('parks a rejected post while quarantine is down, and still returns the reason', async () => {
    const { receive, parking, telemetry } = memoryReceiver({ quarantine: { store: unavailable } });
    const result = await receive(formPost('{"Apikey":"demo-key",'));

    expect(result).toEqual({ reason: 'broken-json', isAcknowledged: true, ...receiptWith({ parked: 1 }) });
    expect(parking.bodies.map((body) => JSON.parse(body))).toMatchObject([{ kind: 'quarantine' }]);
    expect(telemetry.places()).toEqual(['quarantine']);
  });

  it('acknowledges nothing while neither table nor queue is up', async () => {
    const { receive, telemetry } = memoryReceiver({ calls: { record: unavailable }, parking: { park: unavailable } });

    expect(await receive(formPost(specificationSummary))).toEqual(discarded('stores-unavailable'));
    expect(telemetry.places()).toEqual(['call-store', 'parking']);
  });

  it('acknowledges nothing that it did not understand while neither quarantine nor queue is up', async () => {
    const { receive } = memoryReceiver({ quarantine: { store: unavailable }, parking: { park: unavailable } });

    expect(await receive(formPost('{"Apikey":"demo-key",'))).toEqual(discarded('stores-unavailable'));
  });

  it('acknowledges nothing while the accounts cannot be read', async () => {
    const { receive, telemetry } = memoryReceiver({ accounts: { ...fixedAccounts(), current: unavailable } });

    expect(await receive(formPost(specificationSummary))).toEqual(discarded('accounts-unavailable'));
    expect(telemetry.places()).toEqual(['accounts']);
    expect(telemetry.counts).toEqual({ AccountsUnreadable: 1 });
  });

  it('acknowledges nothing before somebody has filled in the accounts’ secret', async () => {
    const current = async () => {
      rejectPlaceholder(accountsPlaceholder);
      throw new Error('The placeholder was not rejected');
    };
    const { receive, telemetry } = memoryReceiver({ accounts: { ...fixedAccounts(), current } });

    expect(await receive(formPost(specificationSummary))).toEqual(discarded('accounts-not-set-up'));
    expect(telemetry.counts).toEqual({ AccountsUnreadable: 1 });
  });

  it('accepts a key that was added a moment ago, and redacts it like any other', async () => {
    const rotated = [{ ...demoAccount, apiKeys: ['demo-key', 'fresh-key-77'] }] as never;
    const { receive, accounts, everything } = memoryReceiver({}, { rotated });
    const post = [{ ...specificationSummary, Apikey: 'fresh-key-77', Comments: 'see fresh-key-77' }, 'fresh-key-77'];

    expect(await receive(formPost(post))).toEqual(receiptWith({ stored: 1, quarantined: 1, reason: 'not-an-object' }));
    expect(accounts.counts).toEqual({ current: 1, refreshed: 1 });
    expect(everything()).not.toContain('fresh-key-77');
  });

  it.each([
    ['one refresh for a key that was added a moment ago', 'fresh-key-77', 'demo', 1],
    ['one refresh for an unknown key', 'nobodys-key-77', undefined, 1],
    ['no refresh for a live key', 'demo-key', 'demo', 0],
  ])('reads broken content with %s', async (_title, key, account, refreshed) => {
    const rotated = [{ ...demoAccount, apiKeys: ['demo-key', 'fresh-key-77'] }] as never;
    const { receive, accounts, quarantine } = memoryReceiver({}, { rotated });

    expect(await receive(formPost(`{"Apikey":"${key}",`))).toMatchObject({ isAcknowledged: account !== undefined });
    expect(accounts.counts.refreshed).toBe(refreshed);
    expect(quarantine.entries).toMatchObject([{ account, body: '{"Apikey":"***",' }]);
  });
});

describe('an account’s key', () => {
  const summary = { ...specificationSummary, Apikey: sentinelKey };
  const withKey = (text: string) => `${text} ${sentinelKey}`;
  const recording = `https://r.example.com/1.mp3?key=${sentinelKey}`;

  it.each<[string, Posted]>([
    ['a call summary', formPost(summary)],
    ['a list with a participant', formPost([summary, { ...specificationParticipant, Apikey: sentinelKey }])],
    ['a comment that repeats it', formPost({ ...summary, Comments: withKey('key') })],
    ['a recording’s URL', formPost({ ...summary, AudioFile: recording, CallerConfAudioFile: recording })],
    ['unknown and nested fields', formPost({ ...summary, more: { a: [sentinelKey] }, [sentinelKey]: '1' })],
    ['an id', formPost({ ...summary, monitorUCID: sentinelKey, CallID: sentinelKey })],
    ['a field beside data', formPost(specificationSummary, { Apikey: sentinelKey })],
    ['broken JSON', formPost(JSON.stringify(summary).slice(0, -1))],
    ['JSON that is truncated within it', formPost(`{"Apikey":"${sentinelKey}`)],
    ['a form without data', { content: { form: { Apikey: sentinelKey, note: withKey('x') } }, query: {} }],
    ['repeated data', { content: { form: { data: [JSON.stringify(summary), sentinelKey] } }, query: {} }],
    [
      'another post of the vendor',
      formPost({ event: 'x', Apikey: sentinelKey, nested: { ApiKey: 'y', z: sentinelKey } }),
    ],
    ['JSON in JSON that is no call', formPost({ event: 'x', body: JSON.stringify(summary) })],
    ['a form sent as JSON', { content: { json: `Apikey=${sentinelKey}&data=%7B` }, query: {} }],
    ['a list with a bad record', formPost([summary, withKey('x'), { Apikey: sentinelKey }])],
  ])('in %s reaches no table, queue, metric and answer', async (_title, post) => {
    const up = memoryReceiver();
    const down = memoryReceiver({ calls: { record: unavailable }, quarantine: { store: unavailable } });
    const answers = [await up.receive(post), await down.receive(post)];

    expect(up.everything() + down.everything() + JSON.stringify(answers)).not.toContain(sentinelKey);
    expect(up.everything()).not.toBe(JSON.stringify([[], [], [], {}]));
  });

  it('is not stored anywhere, wherever it is in a text that cannot be parsed', async () => {
    const text = JSON.stringify({ ...summary, Comments: withKey('x') });
    await holdsAsync(
      fc.asyncProperty(fc.nat({ max: text.length }), fc.constantFrom('', '"', '{', ',', '\\'), async (at, typo) => {
        const { receive, everything } = memoryReceiver();
        await receive(formPost(text.slice(0, at) + typo + text.slice(at + typo.length)));

        expect(everything()).not.toContain(sentinelKey);
      }),
      300,
    );
  });
});
