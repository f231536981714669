import { describe, expect, it } from 'vitest';
import { accountsDeadlineMs, parkingDeadlineMs, storeDeadlineMs } from '../../functions/adapters/aws-clients.ts';
import { timeoutSeconds } from '../../functions/timeouts.ts';
import { requestTimeoutMs } from '../../lib/feed/claim.ts';
import { slotSeconds } from '../../lib/feed/slot.ts';

describe('the receiver', () => {
  it('has time to park a callback when every service it asks before is as slow as may be', () => {
    const slowestMs = 2 * accountsDeadlineMs + storeDeadlineMs + parkingDeadlineMs;

    expect(slowestMs).toBeLessThanOrEqual(timeoutSeconds['receive-callback'] * 1_000 - 1_000);
  });
});

describe('the poller', () => {
  it('has time for an answer and what is written around it when every service is as slow as may be', () => {
    const slowestMs = accountsDeadlineMs + storeDeadlineMs + requestTimeoutMs + storeDeadlineMs;

    expect(slowestMs).toBeLessThanOrEqual(timeoutSeconds['poll-agents'] * 1_000 - 1_000);
  });

  it('is over before the next slot begins', () => {
    expect(timeoutSeconds['poll-agents']).toBeLessThan(slotSeconds);
  });
});
