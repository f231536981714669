import type { SQSEvent } from 'aws-lambda';
import { dynamoAgentTable } from '../../functions/adapters/dynamo-agent-table.ts';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import { createHandler } from '../../functions/poll-agents/handler.ts';
import type { PolledAccount } from '../../lib/agent-login/request.ts';
import { requestTimeoutMs } from '../../lib/feed/claim.ts';
import { endOfSlot, slotOf } from '../../lib/feed/slot.ts';
import { pollAgents } from '../../lib/poll-agents.ts';
import type { TelephonyService } from '../../lib/ports.ts';
import type { AnswerKind } from '../../sandbox/simulator/answers/answer-quirks.ts';
import { type SimulatorSettings, startSimulator } from '../../sandbox/simulator/index.ts';
import type { Step } from '../../sandbox/simulator/script/steps.ts';
import { movedClock } from '../lib/support/polled-floor.ts';
import { fixedAccounts } from '../lib/support/ports.ts';
import type { TestTables } from './sandbox-dynamodb.ts';

/** How a simulated contact centre is polled. */
export interface CentreSettings extends Pick<SimulatorSettings, 'fault' | 'furtherAccounts'> {
  readonly userName: string;
  /** When the test begins, in the clock that it moves itself. */
  readonly start?: string;
  /** Through which the function reads and writes; the tables' own unless told. */
  readonly client?: Parameters<typeof dynamoAgentTable>[0]['client'];
}

/** Long enough for an answer that comes on a busy machine. */
const patienceMs = 5_000;
/** An answer of more bytes is too large. */
const maxBytes = 8 * 1024 * 1024;
const apiKey = 'demo-key';
const timeZone = 'Asia/Kolkata';

/**
 * A simulated contact centre and the function that polls it: over HTTP and real tables, by a clock that the test moves.
 * A request that is not answered takes its time-out by that clock, and little of the test's.
 */
export const startCentre = async (tables: TestTables, settings: CentreSettings) => {
  const { userName, start = '2026-11-21T10:00:00.000Z', client = tables.client, ...further } = settings;
  const time = movedClock(start);
  const startService = () =>
    startSimulator({
      port: 0,
      callbackUrl: 'http://127.0.0.1:9',
      account: { userName, apiKey, timeZone },
      traffic: false,
      clock: { now: time.now, sleep: (_, stopped) => until(stopped) },
      ...further,
    });
  let simulator = await startService();
  let http = telephonyHttp({ timeoutMs: patienceMs, maxBytes });
  const service: TelephonyService = {
    async post(request) {
      const answer = await http.post({
        ...request,
        url: request.url.replace('https://service.invalid', simulator.url),
      });
      if (!answer.ok && answer.problem.reason === 'timeout') time.advance(requestTimeoutMs);
      return answer;
    },
  };
  const account = (name: string): PolledAccount => ({
    userName: name,
    apiKeys: [apiKey],
    baseUrl: 'https://service.invalid',
    timeZone,
    token: { kind: 'none' },
  });
  const log: string[] = [];

  /** Starts the function as a new process would: it remembers nothing. */
  const newProcess = () => {
    const telemetry = jsonTelemetry({ function: 'poll-agents', deployment: 'test' }, (line) => log.push(line));
    const poll = pollAgents({
      clock: time.clock,
      pause: async (milliseconds) => time.advance(milliseconds),
      telemetry,
      service,
      accounts: fixedAccounts([account(userName)]),
      table: dynamoAgentTable({ client, tableName: tables.tableNames.agents, deadlineMs: 5_000 }),
      retention: { floorDays: 7, intervalDays: 90 },
    });
    return createHandler({ poll, telemetry, clock: time.clock });
  };
  let run = newProcess();

  return {
    ...time,
    log,
    script(...steps: readonly Step[]) {
      const outcome = simulator.script(JSON.stringify(steps));
      if (!outcome.ok) throw new Error(outcome.problem.message);
    },
    /** Has the service's next answers be of a kind. */
    async answer(kind: AnswerKind, count = 1, more: object = {}) {
      const body = JSON.stringify({ kind, count, ...more });
      await fetch(`${simulator.url}/_simulator/answers`, { method: 'POST', body });
    },
    /** Lets time pass to where the next slot begins, or to a later instant, and serves a tick there. */
    async poll(at?: string) {
      const nextMs = at === undefined ? endOfSlot(slotOf(time.clock())) : Date.parse(at);
      time.advance(nextMs - time.now());
      await run(tickSentAt(time.now()), {} as never);
    },
    /** What comes next is served by a process that has just started. */
    restart() {
      run = newProcess();
    },
    /** From now on no answer is waited for that does not come at once. */
    expectSilence() {
      http = telephonyHttp({ timeoutMs: 100, maxBytes });
    },
    expectAnswers() {
      http = telephonyHttp({ timeoutMs: patienceMs, maxBytes });
    },
    asked: () => simulator.accounts()[userName],
    stop: () => simulator.stop(),
    /** The service is there again, at another address, without anybody logged in. */
    async again() {
      simulator = await startService();
    },
  };
};

export type Centre = Awaited<ReturnType<typeof startCentre>>;

/** An answer that is held back is held back until the service stops. */
const until = (stopped: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (stopped === undefined || stopped.aborted) resolve();
    else stopped.addEventListener('abort', () => resolve(), { once: true });
  });

const tickSentAt = (sentAt: number): SQSEvent =>
  ({ Records: [{ messageId: '1', body: 'tick', attributes: { SentTimestamp: String(sentAt) } }] }) as never;
