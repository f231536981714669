import type { Account } from '../../../lib/accounts/accounts.ts';
import type { PolledAccount } from '../../../lib/agents/get-agent-logins.ts';

/** A key that also occurs in other fields than its own. */
export const straySecret = 'demo-key-SECRET-4f0c';

export const personMark = 'PERSON';

export const secretMark = 'SECRET';

/** Accounts in different time zones. Their calls have the same ids. */
export const callAccounts: readonly [Account, Account] = [
  {
    userName: 'demo',
    apiKeys: ['demo-key-SECRET-11', straySecret],
    timeZone: 'Asia/Kolkata',
    token: { kind: 'none' },
  },
  { userName: 'other', apiKeys: ['other-key-SECRET-22'], timeZone: 'Europe/London', token: { kind: 'none' } },
];

/** Polled accounts, in time zones with different midnights. */
export const polledAccounts: readonly PolledAccount[] = [
  {
    userName: 'demo',
    apiKeys: ['demo-key-SECRET-11'],
    baseUrl: 'https://demo.invalid',
    timeZone: 'Asia/Kolkata',
    token: { kind: 'none' },
  },
  {
    userName: 'other',
    apiKeys: ['other-key-SECRET-22'],
    baseUrl: 'https://other.invalid',
    timeZone: 'Europe/London',
    token: { kind: 'none' },
  },
];
