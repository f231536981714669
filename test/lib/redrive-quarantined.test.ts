import { describe, expect, it } from 'vitest';
import { accountBook } from '../../lib/account/account-book.ts';
import type { QuarantineEntry } from '../../lib/callback/quarantine-entry.ts';
import type { CallStore } from '../../lib/ports.ts';
import { type RedriveOptions, redriveQuarantined } from '../../lib/redrive-quarantined.ts';
import { demoAccount, otherAccount } from '../fixtures/accounts.ts';
import { inTime } from '../support/in-time.ts';
import { down, memoryCallStore, memoryQuarantine } from './support/ports.ts';

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
    accounts: accountBook([demoAccount, otherAccount] as never),
    deadline: inTime,
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
const refusing: CallStore = { record: async () => 'refused' };

describe('redriveQuarantined', () => {
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
    const { redrive, removed } = redriver({}, { record: down });

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
    ['it is another account’s', {}, 'other', 'account-is-another'],
    ['its account is not there any more', { account: 'former' }, undefined, 'account-not-known'],
    ['there is no account of the name that is given', { account: undefined }, 'nobody', 'account-not-known'],
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
