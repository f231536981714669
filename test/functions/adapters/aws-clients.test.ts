import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  accountsDeadlineMs,
  parkingDeadlineMs,
  storeDeadlineMs,
  withoutLogger,
} from '../../../functions/adapters/aws-clients.ts';
import { timeoutSeconds } from '../../../functions/timeouts.ts';
import { requestTimeoutMs, slotSeconds } from '../../../lib/agents/rate-limit.ts';

const logs = (client: DynamoDBClient) => client.middlewareStack.identify().filter((name) => /logger/i.test(name));

it('a silent client copies nothing for a log, which others do', () => {
  expect(logs(new DynamoDBClient())).not.toEqual([]);
  expect(logs(withoutLogger(new DynamoDBClient()))).toEqual([]);
});

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
