import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSEvent } from 'aws-lambda';
import { PollAgentsEnv, readEnv } from '../../functions/adapters/env.ts';
import { composePoller } from '../../functions/poll-agents/app.ts';
import type { WireAgentField } from '../../lib/agents/normalise-agent.ts';
import { endOfSlot, slotOf } from '../../lib/agents/slot.ts';
import { ok } from '../../lib/core/result.ts';
import type { Clock } from '../../lib/core/time.ts';
import type { TelephonyService } from '../../lib/telephony/service/service.ts';
import { lambdaContext } from '../../sandbox/lambda/runtime.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import type { Metering } from './meter.ts';

export interface PollerSettings {
  readonly userName: string;
  readonly tableName: string;
  readonly answer: () => string;
  readonly clock: Clock;
}

/** Long enough on a busy machine. */
const runTimeoutMs = 60_000;

/** A new process of the poller, built as its index builds it. It serves one tick at a time. */
export const createPoller = (meter: Metering, { userName, tableName, answer, clock }: PollerSettings) => {
  const account = {
    userName,
    apiKeys: ['demo-key'],
    baseUrl: 'https://service.invalid',
    timeZone: 'UTC',
    token: { kind: 'none' },
  };
  const env = readEnv(PollAgentsEnv, { AGENTS_TABLE: tableName, CALLFEED_ACCOUNTS: JSON.stringify([account]) });
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
    storeDeadlineMs: runTimeoutMs,
  });

  return async (): Promise<void> => {
    meter.add({ pollerRuns: 1 });
    await handler(tickAt(clock()), lambdaContext('poll-agents', runTimeoutMs));
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

const states = ['READY', 'INCALL', 'ACW', 'PAUSE'];

export const simulatedAgents = (agents: number) => {
  const turns = Array.from({ length: agents }, (_, index) => index);

  return {
    answer(): string {
      return JSON.stringify({ status: 'success', message: turns.map(recordOf) });
    },
    change(count: number): void {
      for (let index = 0; index < count; index++) turns[index] = (turns[index] ?? 0) + 1;
    },
  };
};

const recordOf = (turn: number, index: number): Readonly<Record<WireAgentField, string | undefined>> => ({
  AgentId: `agent-${index}`,
  AgentName: `Asha Rao ${index}`,
  PhoneNumber: `0900000${String(index).padStart(4, '0')}`,
  AgentState: states[turn % states.length],
  SkillName: 'Sales, Support',
});

export interface PolledAgentsSettings {
  readonly userName: string;
  readonly agents: number;
  readonly tableName: string;
  readonly time: SlotClock;
}

/** Agents that two processes of the poller poll in turn. */
export const polledAgents = (metering: Metering, { userName, agents, tableName, time }: PolledAgentsSettings) => {
  const { answer, change } = simulatedAgents(agents);
  const settings = { userName, tableName, answer, clock: time.clock };
  const processes = [createPoller(metering, settings), createPoller(metering, settings)] as const;
  return { change, nextSlot: time.nextSlot, run: (process: 0 | 1): Promise<void> => processes[process]() };
};

/** Far ahead, since DynamoDB Local removes rows that have expired by the clock of the machine. */
const start = '2040-01-02T06:00:00.000Z';

export const slotClock = () => {
  let nowMs = Date.parse(start);
  const clock = () => new Date(nowMs);
  return {
    clock,
    nextSlot: () => {
      nowMs = endOfSlot(slotOf(clock()));
    },
  };
};

export type SlotClock = ReturnType<typeof slotClock>;
