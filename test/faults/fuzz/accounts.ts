import { demoAccount } from '../../../sandbox/sandbox-options.ts';

/** A key whose characters each carrier writes in its own way. */
const trickyKey = 'tr1cky+Key/of=demo&7';

export const accounts = [
  { userName: 'demo', apiKeys: [...demoAccount.apiKeys, trickyKey], timeZone: 'Asia/Kolkata' },
  { userName: 'other', apiKeys: ['other-key-31c9'], timeZone: 'Europe/London' },
] as const;

/** The live keys: none may occur in a row, log or reply. */
export const secrets: readonly string[] = accounts.flatMap(({ apiKeys }) => apiKeys);

/** The part of the address that only the service knows; no post contains it. */
export const callbackSecret = 'path-of-the-callback-9b2e';

export const tokens = { static: 'SENTINEL-static-token', generated: 'SENTINEL-generated-token' } as const;

/** The keys of the account whose agents are polled. */
export const pollingKeys: readonly string[] = accounts[0].apiKeys;

/** What requests to the service contain, and what it might repeat. */
export const pollSecrets: readonly string[] = [...pollingKeys, ...Object.values(tokens)];
