import type { FeedNow } from '../../../client/index.ts';

/** A feed that was polled at noon and is stale half a minute later. */
export const feedAtNoon: FeedNow = {
  account: 'demo',
  status: 'live',
  statusSince: '2026-11-21T11:00:00.000Z',
  asOf: '2026-11-21T12:00:00.000Z',
  staleAt: '2026-11-21T12:00:30.000Z',
  agentCount: 1,
  counts: { ready: 1 },
  unreadableRecords: 0,
  version: 7,
};
