import type { PolledAccount } from '../../../lib/agent-login/request.ts';

/** The account of the examples: the sandbox's, so that whoever posts them there sees the same. */
export const storyAccount: PolledAccount = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  baseUrl: 'https://service.example',
  timeZone: 'Asia/Kolkata',
  token: { kind: 'none' },
};

/** How long rows are kept in a deployment that says nothing of it, in days. */
export const storyRetention = { callDays: 730, floorDays: 7, intervalDays: 90 };
