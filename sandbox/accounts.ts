import { type Account, defaultTimeZone } from '../lib/account/account.ts';

/** The account that is there when none is configured. */
export const demoAccount: Account = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  timeZone: defaultTimeZone,
  token: { kind: 'none' },
};

/** Every account is polled at its own address, or else at `provider`. */
export const polledAt = (accounts: readonly Account[], provider: string): readonly Account[] =>
  accounts.map((account) => ({ baseUrl: provider, ...account }));
