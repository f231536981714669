import type { PolledAccount } from '../../../lib/agent-login/request.ts';

/** The accounts that are polled in a play, in zones with different midnights. */
export const polledCast: readonly PolledAccount[] = [
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
