import { readFileSync } from 'node:fs';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { readEnv } from '../functions/adapters/env.ts';
import type { BufferedTelemetry } from '../functions/adapters/json-telemetry.ts';
import { composePoller } from '../functions/poll-agents/app.ts';
import { pollAgentsEnv } from '../functions/poll-agents/environment.ts';
import { composeReceiver } from '../functions/receive-callback/app.ts';
import { receiveCallbackEnv } from '../functions/receive-callback/environment.ts';
import type { FunctionName } from '../functions/timeouts.ts';
import type { WireAgentField } from '../lib/agents/normalise-agent.ts';
import { ok } from '../lib/core/result.ts';
import type { Clock } from '../lib/core/time.ts';
import { lambdaContext } from '../sandbox/functions.ts';
import { localClient } from '../sandbox/local-aws.ts';
import { formOf, httpApiEvent } from '../test/support/local-servers.ts';
import type { Counts } from './meter.ts';

export const example = (name: string): string =>
  readFileSync(new URL(`../sandbox/examples/${name}.json`, import.meta.url), 'utf8');

const localTime = /"2026-11-20 (\d\d:\d\d:\d\d)"/g;

/**
 * An example, or several, as they would be if they had just ended: the call of 11:00 began half an hour before `now`, a time
 * on the account's clocks. A call that is recorded much later than it began costs one write unit more.
 */
export const justEnded = (json: string, now: Date): string =>
  json.replace(localTime, (_, time) => {
    const sinceEleven = Date.parse(`2026-11-20T${time}Z`) - Date.parse('2026-11-20T11:00:00Z');
    const at = new Date(now.getTime() - 30 * 60_000 + sinceEleven).toISOString();
    return `"${at.slice(0, 10)} ${at.slice(11, 19)}"`;
  });

export const callbacks = {
  first: example('call-summary'),
  revision: example('with-disposition'),
  another: example('missed-call'),
} as const;

/** The first callback, of another call. `number` has at most nine digits. */
export const callNumbered = (number: number): string =>
  callbacks.first.replace(/(?<="monitorUCID": )\d+/, `"41781234${String(number).padStart(9, '0')}"`);

export const listOf = (length: number): string =>
  `[${Array.from({ length }, (_, index) => callNumbered(index + 1)).join(',')}]`;

/** What a function under measurement gets: its client of DynamoDB, and a place to count what it does. */
interface Metering {
  readonly client: DynamoDBClient;
  telemetry(name: FunctionName): BufferedTelemetry;
  add(counts: Partial<Counts>): void;
}

/** The size of one request of an HTTP API. https://aws.amazon.com/api-gateway/pricing/ */
const requestBytes = 512 * 1024;

/** A handler, whose type would require fields that it does not read. */
const Handler = z.custom<(event: unknown, context: Context) => Promise<unknown>>(
  (value) => typeof value === 'function',
);

const Reply = z.object({ statusCode: z.number(), body: z.string() });

const runTimeoutMs = 60_000;

/** The receiver of callbacks, built as its index builds it, for one account. Returns its post. */
export const createReceiver = (
  meter: Metering,
  clock: Clock,
  names: { readonly calls: string; readonly quarantine: string },
) => {
  const accounts = [{ userName: 'demo', apiKeys: ['demo-key'], timeZone: 'UTC' }];
  const handler = Handler.parse(
    composeReceiver({
      env: readEnv(receiveCallbackEnv, {
        CALLS_TABLE: names.calls,
        QUARANTINE_TABLE: names.quarantine,
        PARKING_QUEUE_URL: 'https://queue.invalid',
        CALLFEED_ACCOUNTS: JSON.stringify(accounts),
      }),
      clock,
      telemetry: meter.telemetry('receive-callback'),
      dynamodb: meter.client,
      secrets: new SecretsManagerClient(localClient('http://secrets.invalid')),
      // Nothing has to be parked, so there is no queue.
      sqs: () => new SQSClient(localClient('http://queue.invalid')),
      storeDeadlineMs: runTimeoutMs,
    }),
  );

  return async (data: string): Promise<void> => {
    const body = formOf(data);
    meter.add({ apiRequests: Math.ceil(Buffer.byteLength(body) / requestBytes), receiverRuns: 1 });
    const reply = Reply.parse(await handler(httpApiEvent({ body }), lambdaContext('receive-callback', runTimeoutMs)));
    if (reply.statusCode !== 200) throw new Error(`A callback was answered with ${reply.statusCode}: ${reply.body}`);
  };
};

interface PollerSettings {
  readonly userName: string;
  readonly tableName: string;
  readonly answer: () => string;
  readonly clock: Clock;
}

/** A new process of the poller, built as its index builds it. It serves one tick at a time. */
export const createPoller = (meter: Metering, { userName, tableName, answer, clock }: PollerSettings) => {
  const account = { userName, apiKeys: ['demo-key'], baseUrl: 'https://service.invalid', timeZone: 'UTC' };
  const accounts = JSON.stringify([{ ...account, token: { kind: 'none' } }]);
  const handler = Handler.parse(
    composePoller({
      env: readEnv(pollAgentsEnv, { AGENTS_TABLE: tableName, CALLFEED_ACCOUNTS: accounts }),
      clock,
      telemetry: meter.telemetry('poll-agents'),
      service: {
        async post() {
          meter.add({ serviceCalls: 1 });
          return ok({ status: 200, text: answer() });
        },
      },
      dynamodb: meter.client,
      secrets: new SecretsManagerClient(localClient('http://secrets.invalid')),
      pause: () => Promise.reject(new Error('No poll has to wait for another one')),
      storeDeadlineMs: runTimeoutMs,
    }),
  );

  return async (): Promise<void> => {
    meter.add({ pollerRuns: 1 });
    const tick = { body: 'tick', attributes: { SentTimestamp: String(clock().getTime()) } };
    await handler({ Records: [tick] }, lambdaContext('poll-agents', runTimeoutMs));
  };
};

const states = ['READY', 'INCALL', 'ACW', 'PAUSE'];

/** Agents who are logged in, as the telephony service lists them; `change` gives some of them another state. */
export const simulatedAgents = (agents: number) => {
  const turns = Array.from({ length: agents }, (_, index) => index);
  const recordOf = (turn: number, index: number): Readonly<Record<WireAgentField, string | undefined>> => ({
    AgentId: `agent-${index}`,
    AgentName: `Asha Rao ${index}`,
    PhoneNumber: `0900000${String(index).padStart(4, '0')}`,
    AgentState: states[turn % states.length],
    SkillName: 'Sales, Support',
  });

  return {
    answer: (): string => JSON.stringify({ status: 'success', message: turns.map(recordOf) }),
    change(count: number): void {
      for (let index = 0; index < count; index++) turns[index] = (turns[index] ?? 0) + 1;
    },
  };
};
