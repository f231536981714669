import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { clientSettings } from '../../functions/adapters/aws-clients.ts';

type Strategy = Exclude<NonNullable<DynamoDBClientConfig['retryStrategy']>, { retry: unknown }>;
type Token = Awaited<ReturnType<Strategy['acquireInitialRetryToken']>>;

const tokenAfter = (retries: number): Token => ({ getRetryCount: () => retries, getRetryDelay: () => 0 });

/**
 * Tries again what the SDK tries again, as often as deployed, but at once: the SDK's own strategy waits on a timer, and
 * its quota of retries would be used up by so many faults.
 */
export const twoTries: Strategy = {
  acquireInitialRetryToken: async () => tokenAfter(0),
  async refreshRetryTokenForRetry(token, { errorType }) {
    const tries = token.getRetryCount() + 1;
    const isPassing = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
    if (!isPassing || tries >= clientSettings.maxAttempts) throw new Error('No retry token available');
    return tokenAfter(tries);
  },
  recordSuccess: () => undefined,
};
