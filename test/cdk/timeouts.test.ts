import { describe, expect, it } from 'vitest';
import { accountsDeadlineMs, parkingDeadlineMs, storeDeadlineMs } from '../../functions/adapters/aws-clients.ts';
import { timeoutSeconds } from '../../functions/timeouts.ts';

describe('the receiver', () => {
  it('has time to park a callback when every service it asks before is as slow as may be', () => {
    const slowestMs = 2 * accountsDeadlineMs + storeDeadlineMs + parkingDeadlineMs;

    expect(slowestMs).toBeLessThanOrEqual(timeoutSeconds['receive-callback'] * 1_000 - 1_000);
  });
});
