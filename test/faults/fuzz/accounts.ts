import { demoAccount } from '../../../sandbox/sandbox-options.ts';

/** A key of characters that each carrier writes in its own way. */
const trickyKey = 'tr1cky+Key/of=demo&7';

/** The accounts of the tried deployment, as their secret has them. */
export const accounts = [
  { userName: 'demo', apiKeys: [...demoAccount.apiKeys, trickyKey], timeZone: 'Asia/Kolkata' },
  { userName: 'other', apiKeys: ['other-key-31c9'], timeZone: 'Europe/London' },
] as const;

/** Live keys: none of them may be found in anything that is kept or told. */
export const secrets: readonly string[] = accounts.flatMap(({ apiKeys }) => apiKeys);

/** The part of the address that only the service is given; it is in no post. */
export const callbackSecret = 'path-of-the-callback-9b2e';

/** Tokens with which agents are asked for. */
export const tokens = { static: 'SENTINEL-static-token', generated: 'SENTINEL-generated-token' } as const;

/** The keys of the account whose agents are asked for. */
export const pollingKeys: readonly string[] = accounts[0].apiKeys;

/** What the service may be sent, and might repeat, when it is asked for the agents. */
export const pollSecrets: readonly string[] = [...pollingKeys, ...Object.values(tokens)];
