import type { Feed } from './schema.ts';

/** Agents' rows are stale at this age: two polls have failed by then. */
export const staleAfterSeconds = 30;

/** The feed of an account that was never polled. */
export const newFeed = (account: string, now: Date): Feed => ({
  account,
  status: 'starting',
  statusSince: now.toISOString(),
  agentCount: 0,
  counts: {},
  unreadableRecords: 0,
  version: 0,
  poller: { slot: -1, requests: [], inFlight: false },
});
