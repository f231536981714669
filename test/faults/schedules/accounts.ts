import type { Account, PolledAccount } from '../../../lib/accounts/accounts.ts';

/** A key that also occurs in other fields than its own. */
export const straySecret = 'demo-key-SECRET-4f0c';

export const personMark = 'PERSON';

export const secretMark = 'SECRET';

const keys = { demo: 'demo-key-SECRET-11', other: 'other-key-SECRET-22' } as const;
const token = { kind: 'none' } as const;

/** Accounts in different time zones. Their calls have the same ids. */
export const callAccounts: readonly [Account, Account] = [
  { userName: 'demo', apiKeys: [keys.demo, straySecret], timeZone: 'Asia/Kolkata', token },
  { userName: 'other', apiKeys: [keys.other], timeZone: 'Europe/London', token },
];

/** Polled accounts, in time zones with different midnights. */
export const polledAccounts = callAccounts.map((account): PolledAccount => {
  const { userName, timeZone } = account;
  return {
    userName,
    timeZone,
    apiKeys: [keys[userName as keyof typeof keys]],
    baseUrl: `https://${userName}.invalid`,
    token,
  };
});
