import { describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { type DeploymentOptions, deployment, reportOf } from '../../deployment/index.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { digits, specificationSummary as summary } from '../../fixtures/calls.ts';
import { decompressed } from '../../support/posted-records.ts';
import { redriveAll, renormaliseAll } from '../../support/run-here.ts';

type Deployment = Awaited<ReturnType<typeof deployment>>;

const secret = 'a-long-callback-secret';
const [key, newKey] = ['demo-key-1', 'new-key/77'];
const comment = `see https://api.invalid/${secret}/callDetails or ?k=${key} or ${newKey}`;
const commented = { ...summary, Apikey: key, Comments: comment };
const today = '2026-11-20';
const reported = { CallID: '7', CallDate: today, StartTime: '11:00:00', EndTime: '11:01:00', Status: 'Answered' };
const rotated: Account = { ...kolkataAccount, apiKeys: [key, newKey] };

/** The ways on which a text comes into a row. */
const ways: Readonly<Record<string, (d: Deployment) => Promise<unknown>>> = {
  'a callback': (d) => d.post(commented, { secret }),
  'a callback that was parked': async (d) => {
    await d.fail('calls').during(() => d.post(commented, { secret }));
    await d.recover();
  },
  'a callback that cannot be parsed': (d) => d.post(`${JSON.stringify(commented)}}`, { secret }),
  'a record that is none': (d) => d.post([commented, comment], { secret }),
  'a record that is too large': (d) => d.post({ ...commented, UUI: digits(500_000) }, { secret }),
  'a callback with a new key that is redriven': async (d) => {
    await d.post({ ...commented, Apikey: newKey }, { secret });
    expect(await redriveAll(d, [rotated])).toMatchObject([{ value: { stored: 1 } }]);
  },
  'a call of the report': (d) => d.reconcile(),
  'a call that is derived again': async (d) => {
    await d.post(commented, { secret });
    await renormaliseAll(d, { ...rotated, timeZone: 'Europe/London' });
    expect(await d.row(summary.monitorUCID)).toMatchObject({ revision: 2 });
  },
};

describe('a key and the callback secret', () => {
  it.each(Object.entries(ways))('are in no row, message, event and log: %s', async (way, play) => {
    const options: DeploymentOptions = {
      ...{ secret, accounts: [rotated] },
      service: {
        report: [reportOf(way === 'a call of the report' ? { [today]: [{ ...reported, Comments: comment }] } : {})],
      },
    };
    const hasNewKey = way === 'a callback with a new key that is redriven';
    const d = await deployment(hasNewKey ? { ...options, accounts: [{ ...rotated, apiKeys: [key] }] } : options);
    await play(d);
    await d.settled();

    const kept = decompressed(
      JSON.stringify([await d.rows('calls'), await d.quarantine(), d.parked(), d.published(), d.logs()]),
    );
    expect(kept).toContain('see https://api.invalid/***/callDetails or ?k=*** or ***');
    for (const text of [secret, key, newKey]) expect(kept).not.toContain(text);
  });
});
