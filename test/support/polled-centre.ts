import { DynamoDBClient, GetItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, vi } from 'vitest';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import { composePoller } from '../../functions/poll-agents/app.ts';
import { pollAgentsEnv } from '../../functions/poll-agents/environment.ts';
import { endOfSlot, slotOf } from '../../functions/poll-agents/rate-limit.ts';
import type { PolledAccount } from '../../lib/accounts/accounts.ts';
import { eventSchemas } from '../../lib/contract/events.ts';
import type { EventDetail } from '../../lib/publish/events-of-change.ts';
import type { TelephonyService } from '../../lib/service/service.ts';
import type { Row } from '../../lib/storage/rows.ts';
import type { SandboxOptions } from '../../sandbox/aws/sandbox-options.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import type { SandboxState } from '../../sandbox/sandbox-routes.ts';
import type { AnswerKind } from '../../sandbox/simulator/answers.ts';
import { startSimulator } from '../../sandbox/simulator/index.ts';
import type { Step } from '../../sandbox/simulator/script.ts';
import { startSharedSandbox, type TestTables } from './dynamodb-local.ts';
import { manualClock } from './memory-ports.ts';
import { eventLines, logIn, logOut, setState } from './sandbox.ts';

/** Reads a table as another service does. A query must read no more than it returns. */
export const agentsReader = (client: DynamoDBClient, TableName: string) => ({
  /** One query, or the page of it after `ExclusiveStartKey`. */
  async query(input: Omit<QueryCommandInput, 'TableName'>) {
    const { Items = [], ScannedCount, LastEvaluatedKey } = await client.send(new QueryCommand({ TableName, ...input }));

    expect(ScannedCount).toBe(Items.length);
    return { rows: Items.map((item): Row => unmarshall(item)), next: LastEvaluatedKey };
  },
  async row(pk: string, sk: string): Promise<Row | undefined> {
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
    return Item && unmarshall(Item);
  },
});

/** Everything in a partition. */
export const partition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: pk } },
});

/** A Callfeed event as a subscriber receives it. */
interface BusEnvelope {
  readonly source: string;
  readonly 'detail-type': keyof typeof eventSchemas;
  readonly detail: EventDetail & { readonly agentId?: string };
}

const soon = { timeout: 20_000, interval: 10 };

/**
 * The whole sandbox, with a `Date` that only the test advances. The test also sends the ticks, so a time slot of the poller
 * takes no time. Timers are real.
 */
export const startAgentsSandbox = async (
  options: Partial<SandboxOptions> = {},
  startsAt = '2026-11-21T10:00:00.000Z',
) => {
  vi.setSystemTime(startsAt);
  const sandbox = await startSharedSandbox(options);
  const { addresses } = sandbox;
  const dynamodb = new DynamoDBClient(localClient(addresses.dynamodb));
  const sqs = new SQSClient(localClient(addresses.sqs));
  const state = async () => (await (await fetch(addresses.sandbox)).json()) as SandboxState;

  return {
    addresses,
    dynamodb,
    sqs,
    state,
    ...agentsReader(dynamodb, 'callfeed-agents'),
    /** Logs agents in and out, and changes them. */
    async script(...steps: readonly Step[]) {
      const answer = await fetch(addresses.agents, { method: 'POST', body: JSON.stringify(steps) });
      expect(answer.status).toBe(200);
    },
    async setFault(name: string, mode: string) {
      await fetch(`${addresses.faults}/${name}`, { method: 'PUT', body: JSON.stringify({ mode }) });
    },
    /** Advances the date, sends a tick, and waits until the tick is processed. Returns the new time. */
    async poll(seconds = 15) {
      const { ticksProcessed } = (await state()).counts;
      vi.setSystemTime(Date.now() + seconds * 1000);
      await sqs.send(new SendMessageCommand({ QueueUrl: addresses.tickQueue, MessageBody: 'by hand' }));
      await expect.poll(async () => (await state()).counts.ticksProcessed, soon).toBe(ticksProcessed + 1);
      return new Date().toISOString();
    },
    /** All events so far. Each one is checked against the contract. */
    async events(): Promise<readonly BusEnvelope[]> {
      const events = (await eventLines(addresses.events)).map((line): BusEnvelope => JSON.parse(line));
      for (const { 'detail-type': type, detail } of events) eventSchemas[type].parse(detail);
      return events;
    },
    async stop() {
      vi.useRealTimers();
      dynamodb.destroy();
      sqs.destroy();
      await sandbox.stop();
    },
  };
};

export type AgentsSandbox = Awaited<ReturnType<typeof startAgentsSandbox>>;

/** Long enough for an answer on a busy machine. */
const answerTimeoutMs = 5_000;
const timeZone = 'Asia/Kolkata';

/** A simulated contact centre and the function that polls it, over HTTP and real tables, with a manual clock. */
const startCentre = async (tables: TestTables, userName: string, start: string) => {
  const time = manualClock(start);
  const simulator = await startSimulator({
    port: 0,
    callbackUrl: 'http://127.0.0.1:9',
    accounts: [{ userName, apiKeys: ['demo-key'], timeZone }],
    traffic: false,
    clock: { now: time.now, sleep: async () => undefined },
  });
  const account: PolledAccount = {
    userName,
    timeZone,
    apiKeys: ['demo-key'],
    baseUrl: simulator.url,
    token: { kind: 'none' },
  };
  const run = pollFunction({
    time,
    account,
    service: telephonyHttp({ timeoutMs: answerTimeoutMs }),
    dynamodb: tables.client,
    tableName: tables.tableNames.agents,
  });

  return {
    ...time,
    script(...steps: readonly Step[]) {
      const outcome = simulator.script(JSON.stringify(steps));
      if (!outcome.ok) throw new Error(outcome.problem.message);
    },
    /** Makes the service's next answers be of a kind. */
    async answer(kind: AnswerKind, count = 1) {
      await fetch(`${simulator.url}/_simulator/answers`, { method: 'POST', body: JSON.stringify({ kind, count }) });
    },
    /** Moves the clock to the next slot, or to a later instant, and handles a tick there. */
    async poll(at?: string) {
      const nextMs = at === undefined ? endOfSlot(slotOf(time.clock())) : Date.parse(at);
      time.advance(nextMs - time.now());
      await run(time.now());
    },
    stop: () => simulator.stop(),
  };
};

export type Centre = Awaited<ReturnType<typeof startCentre>>;

/** What the function that polls an account works with. */
interface PollSettings {
  readonly time: ReturnType<typeof manualClock>;
  readonly service: TelephonyService;
  readonly account: PolledAccount;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName?: string;
}

/** The function as a new process runs it. It handles a tick that was sent at an instant. */
export const pollFunction = ({ time, service, account, dynamodb, tableName = 'agents' }: PollSettings) => {
  const handler = composePoller({
    env: pollAgentsEnv.parse({ AGENTS_TABLE: tableName, CALLFEED_ACCOUNTS: JSON.stringify([account]) }),
    clock: time.clock,
    pause: async (milliseconds) => time.advance(milliseconds),
    telemetry: jsonTelemetry({ function: 'poll-agents', deployment: 'test' }, () => undefined),
    secrets: { send: async () => expect.unreachable('The accounts are in the environment') },
    service,
    dynamodb,
    storeDeadlineMs: answerTimeoutMs,
  });
  return (sentAt: number) =>
    handler({ Records: [{ attributes: { SentTimestamp: String(sentAt) } }] } as never, {} as never);
};

/**
 * Polls an account for two days, with midnight at 18:30 UTC. asha logs out on the second day and in again; omar logs out
 * for good; asha#2 and ravi stay; meera logs in late.
 */
export const pollTwoDays = async (tables: TestTables, userName: string): Promise<Centre> => {
  const centre = await startCentre(tables, userName, '2026-11-21T09:59:00.000Z');
  centre.script(logIn('asha'), logIn('asha#2'), logIn('ravi', 'PAUSE'), logIn('omar'));
  await centre.poll('2026-11-21T10:00:00.000Z');
  centre.script(setState('asha', 'INCALL'));
  await centre.poll('2026-11-21T11:30:00.000Z');
  await centre.poll('2026-11-21T18:30:00.000Z');
  centre.script(setState('asha', 'ACW'), setState('asha#2', 'PAUSE'), logOut('omar'));
  await centre.poll('2026-11-21T19:00:00.000Z');
  centre.script(logOut('asha'));
  await centre.poll('2026-11-22T05:00:00.000Z');
  centre.script(logIn('asha'), logIn('meera', 'PAUSE'));
  await centre.poll('2026-11-22T06:00:00.000Z');
  await centre.poll('2026-11-22T09:00:00.000Z');
  return centre;
};
