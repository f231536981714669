import { describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/account/account.ts';
import type { Claims } from '../../../lib/account/check-sender.ts';
import { knownAccounts, senderOf } from '../../../lib/account/known-sender.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { down, fixedAccounts, recordingTelemetry } from '../support/ports.ts';

const ofDemo: Claims = { keys: ['changed-key'], users: ['demo'], secretProven: false };
const ofStranger: Claims = { ...ofDemo, users: ['nobody'] };
const rotated = [{ ...demoAccount, apiKeys: ['changed-key'] }] as unknown as readonly Account[];

/** What is counted of a post with these claims, by accounts that read like this. */
const countsOf = async (claims: Claims, accounts: Parameters<typeof senderOf>[0]['accounts']) => {
  const telemetry = recordingTelemetry();
  await senderOf({ accounts, telemetry }, await fixedAccounts().current(), claims);
  return telemetry.counts;
};

describe('senderOf', () => {
  it.each([
    ['an account’s post that is refused', ofDemo, fixedAccounts(), { AccountRefused: 1 }],
    ['a stranger’s not', ofStranger, fixedAccounts(), {}],
    ['nor one whose key was added a moment ago', ofDemo, fixedAccounts(undefined, rotated), {}],
    ['nor one that is believed', { ...ofDemo, keys: ['demo-key'] }, fixedAccounts(), {}],
    [
      'beside it that the last accounts decided',
      ofDemo,
      { ...fixedAccounts(), refreshed: down },
      { AccountRefused: 1, AccountsOutdated: 1 },
    ],
  ])('counts %s', async (_title, claims, accounts, counts) => {
    expect(await countsOf(claims, accounts)).toEqual(counts);
  });
});

describe('knownAccounts', () => {
  it('counts that there is nobody to go by', async () => {
    const telemetry = recordingTelemetry();
    const known = await knownAccounts({ accounts: { ...fixedAccounts(), current: down }, telemetry });

    expect(known).toEqual({ ok: false, problem: 'accounts-unavailable' });
    expect(telemetry.counts).toEqual({ AccountsUnreadable: 1 });
  });
});
