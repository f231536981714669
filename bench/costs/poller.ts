import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSEvent } from 'aws-lambda';
import { composePoller } from '../../functions/poll-agents/compose.ts';
import { PollAgentsEnv } from '../../functions/poll-agents/env.ts';
import type { Clock, TelephonyService } from '../../lib/ports.ts';
import { ok } from '../../lib/result.ts';
import { lambdaContext } from '../../sandbox/functions-host/lambda-context.ts';
import { localClient } from '../../sandbox/local-client.ts';
import type { Metering } from './meter.ts';

/** What a poller polls, and where it keeps that. */
export interface PollerSettings {
  readonly userName: string;
  readonly tableName: string;
  /** What the telephony service answers. */
  readonly answer: () => string;
  readonly clock: Clock;
}

/** Long enough on a busy machine, where the meter reads before every write. */
const patienceMs = 60_000;

/** A process of the poller that has just started, built as its index builds it. Serves one tick at a time. */
export const createPoller = (meter: Metering, { userName, tableName, answer, clock }: PollerSettings) => {
  const account = { userName, apiKeys: ['demo-key'], baseUrl: 'https://service.invalid' };
  const env = PollAgentsEnv.parse({ AGENTS_TABLE: tableName, CALLFEED_ACCOUNTS: JSON.stringify([account]) });
  const service: TelephonyService = {
    async post() {
      meter.add({ serviceCalls: 1 });
      return ok({ status: 200, text: answer() });
    },
  };
  const handler = composePoller({
    env,
    clock,
    telemetry: meter.telemetry('poll-agents'),
    service,
    dynamodb: meter.client,
    secrets: new SecretsManagerClient(localClient('http://secrets.invalid')),
    pause: () => Promise.reject(new Error('No poll has to wait for another one')),
    storeDeadlineMs: patienceMs,
  });

  return async (): Promise<void> => {
    meter.add({ pollerRuns: 1 });
    await handler(tickAt(clock()), lambdaContext('poll-agents', patienceMs));
  };
};

const tickAt = (now: Date): SQSEvent => ({
  Records: [
    {
      messageId: '1',
      receiptHandle: '1',
      body: 'tick',
      attributes: {
        ApproximateReceiveCount: '1',
        ApproximateFirstReceiveTimestamp: String(now.getTime()),
        SenderId: 'scheduler',
        SentTimestamp: String(now.getTime()),
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'ticks',
      awsRegion: 'us-east-1',
    },
  ],
});
