import { describe, expect, it } from 'vitest';
import { demoAccount } from '../../fixtures/accounts.ts';
import { specificationSummary as summary } from '../../fixtures/call-summaries.ts';
import { specificationParticipant as participant } from '../../fixtures/participants.ts';
import { receivedAt } from '../support/facts-of.ts';
import { counts, formPost, memoryReceiver } from '../support/receiver.ts';

describe('receiveCallback', () => {
  it('stores a summary under its account and id, with the time of its receipt', async () => {
    const { receive, calls } = memoryReceiver();

    expect(await receive(formPost(summary))).toEqual(counts({ stored: 1 }));
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

    expect(await receive(formPost(again))).toEqual(counts({ duplicates: 1 }));
    expect(calls.records()).toMatchObject([{ version: 1 }]);
  });

  it('stores a summary twice in one post once', async () => {
    expect(await memoryReceiver().receive(formPost([summary, summary]))).toEqual(counts({ stored: 1, duplicates: 1 }));
  });

  it('stores summaries and participants of a list', async () => {
    const { receive, calls } = memoryReceiver();

    expect(await receive(formPost([summary, participant, { ...participant, CallID: 2 }]))).toEqual(
      counts({ stored: 3 }),
    );
    expect(calls.records().map(({ key }) => key.kind)).toEqual(['call', 'participant', 'participant']);
  });

  it('stores participants whose key stands beside them', async () => {
    expect(await memoryReceiver().receive(formPost([participant], { Apikey: 'demo-key' }))).toEqual(
      counts({ stored: 1 }),
    );
  });

  it('takes the key beside data, and at the secret address none', async () => {
    const { Apikey: _, ...keyless } = summary;

    expect(await memoryReceiver().receive(formPost(keyless, { apikey: 'demo-key' }))).toEqual(counts({ stored: 1 }));
    expect(await memoryReceiver().receive({ ...formPost(keyless), secretProven: true })).toEqual(counts({ stored: 1 }));
  });

  it('belongs a post to the only account, where it names none at the secret address', async () => {
    const { Apikey: _key, UserName: _name, ...nameless } = summary;
    const { receive, calls } = memoryReceiver({}, { live: [demoAccount as never] });

    await receive({ ...formPost(nameless), secretProven: true });

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

    expect(await receive(formPost([bad, summary]))).toEqual(counts({ stored: 1, quarantined: 1 }));
    expect(calls.records()).toHaveLength(1);
    expect(quarantine.entries).toEqual([{ reason, account: 'demo', body, receivedAt }]);
  });

  it('keeps a participant that names no call among several apart', async () => {
    const { UCID: _, ...nameless } = participant;
    const { receive, quarantine } = memoryReceiver();

    expect(await receive(formPost([summary, { ...summary, monitorUCID: '2' }, nameless]))).toEqual(
      counts({ stored: 2, quarantined: 1 }),
    );
    expect(quarantine.entries).toMatchObject([{ reason: 'participant-without-call' }]);
  });

  it('quarantines what the table can never take', async () => {
    const { receive, quarantine } = memoryReceiver({ calls: { record: async () => 'refused' } });

    expect(await receive(formPost(summary))).toEqual(counts({ quarantined: 1 }));
    expect(quarantine.entries).toMatchObject([
      { reason: 'not-storable', account: 'demo', body: expect.stringContaining('41781234567890123') },
    ]);
  });
});
