import { describe, expect, it } from 'vitest';
import { accountsPlaceholder, refusePlaceholder } from '../../../lib/account/placeholder.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { specificationSummary as summary } from '../../fixtures/call-summaries.ts';
import { receivedAt } from '../support/facts-of.ts';
import { down, fixedAccounts } from '../support/ports.ts';
import { counts, formPost, memoryReceiver } from '../support/receiver.ts';

const list = [summary, { ...summary, monitorUCID: '8' }, 'x'];

describe('receiveCallback', () => {
  it('parks a delivery while the table is down, normalised and with the time of its receipt', async () => {
    const { receive, parking, telemetry } = memoryReceiver({ calls: { record: down } });

    expect(await receive(formPost(summary))).toEqual(counts({ parked: 1 }));
    expect(parking.bodies.map((body) => JSON.parse(body))).toMatchObject([
      { kind: 'delivery', key: { callId: '41781234567890123' }, delivery: { receivedAt } },
    ]);
    expect(telemetry.places()).toEqual(['call-store']);
  });

  it('parks only what the table did not take', async () => {
    const flaky = memoryReceiver();
    const record: typeof flaky.calls.record = (key, ...rest) =>
      key.callId === '8' ? down() : flaky.calls.record(key, ...rest);
    const { receive, parking } = memoryReceiver({ calls: { record } });

    expect(await receive(formPost(list))).toEqual(counts({ stored: 1, quarantined: 1, parked: 1 }));
    expect(parking.bodies).toHaveLength(1);
  });

  it('parks what was not understood while quarantine is down, and still says what was wrong', async () => {
    const { receive, parking, telemetry } = memoryReceiver({ quarantine: { keep: down } });

    const broken = formPost('{"Apikey":"demo-key",');
    expect(await receive(broken)).toEqual({ reason: 'broken-json', ...counts({ parked: 1 }) });
    expect(parking.bodies.map((body) => JSON.parse(body))).toMatchObject([{ kind: 'quarantine' }]);
    expect(telemetry.places()).toEqual(['quarantine']);
  });

  it('parks a delivery that the table cannot take while quarantine is down', async () => {
    const { receive, parking } = memoryReceiver({
      calls: { record: async () => 'refused' },
      quarantine: { keep: down },
    });

    expect(await receive(formPost(summary))).toEqual(counts({ parked: 1 }));
    expect(parking.bodies.map((body) => JSON.parse(body))).toMatchObject([{ kind: 'delivery' }]);
  });

  it('acknowledges nothing when neither table nor queue takes a delivery', async () => {
    const { receive, telemetry } = memoryReceiver({ calls: { record: down }, parking: { park: down } });

    expect(await receive(formPost(summary))).toEqual({ reason: 'stores-unavailable', ...counts({}) });
    expect(telemetry.places()).toEqual(['call-store', 'parking']);
  });

  it('acknowledges nothing of a list of which one record could be kept nowhere', async () => {
    const { receive, calls } = memoryReceiver({ quarantine: { keep: down }, parking: { park: down } });

    expect(await receive(formPost(list))).toEqual({ reason: 'stores-unavailable', ...counts({}) });
    expect(calls.records()).toHaveLength(2);
  });

  it('leaves the queue alone while the tables are up', async () => {
    expect(await memoryReceiver({ parking: { park: down } }).receive(formPost(list))).toEqual(
      counts({ stored: 2, quarantined: 1 }),
    );
  });

  it('acknowledges nothing while the accounts cannot be read', async () => {
    const { receive, telemetry } = memoryReceiver({ accounts: { ...fixedAccounts(), current: down } });

    expect(await receive(formPost(summary))).toEqual({ reason: 'accounts-unavailable', ...counts({}) });
    expect(telemetry.places()).toEqual(['accounts']);
    expect(telemetry.counts).toEqual({ AccountsUnreadable: 1 });
  });

  it('says that there are no accounts yet while nobody has filled in their secret', async () => {
    const current = async () => {
      refusePlaceholder(accountsPlaceholder);
      throw new Error('not refused');
    };
    const { receive, telemetry } = memoryReceiver({ accounts: { ...fixedAccounts(), current } });

    expect(await receive(formPost(summary))).toEqual({ reason: 'accounts-not-set-up', ...counts({}) });
    expect(telemetry.counts).toEqual({ AccountsUnreadable: 1 });
  });

  it('believes a key that was added a moment ago, after reading the accounts once more', async () => {
    const rotated = [{ ...demoAccount, apiKeys: ['demo-key', 'fresh-key-77'] }] as never;
    const { receive, accounts } = memoryReceiver({}, { rotated });

    expect(await receive(formPost({ ...summary, Apikey: 'fresh-key-77' }))).toEqual(counts({ stored: 1 }));
    expect(accounts.counts).toEqual({ current: 1, refreshed: 1 });
  });

  it('keeps a key that was added a moment ago out of all that is kept', async () => {
    const rotated = [{ ...demoAccount, apiKeys: ['demo-key', 'fresh-key-77'] }] as never;
    const { receive, everything } = memoryReceiver({}, { rotated });
    await receive(formPost([{ ...summary, Apikey: 'fresh-key-77', Comments: 'see fresh-key-77' }, 'fresh-key-77']));

    expect(everything()).not.toContain('fresh-key-77');
  });

  it('refuses an unknown key while the accounts cannot be read once more', async () => {
    const { receive, telemetry } = memoryReceiver({ accounts: { ...fixedAccounts(), refreshed: down } });

    expect(await receive(formPost({ ...summary, Apikey: 'x' }))).toEqual({ reason: 'unknown-key', ...counts({}) });
    expect(telemetry.places()).toEqual(['accounts']);
    expect(telemetry.counts).toMatchObject({ AccountsOutdated: 1 });
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
