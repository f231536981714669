import { dynamoAgentTable } from '../../functions/adapters/dynamo-agent-table.ts';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import { createPollHandler } from '../../functions/poll-agents/app.ts';
import type { PolledAccount } from '../../lib/accounts/accounts.ts';
import { pollAgents } from '../../lib/agents/poll-agents.ts';
import { endOfSlot, slotOf } from '../../lib/agents/slot.ts';
import type { AgentTable } from '../../lib/storage/rows.ts';
import type { TelephonyService } from '../../lib/telephony/service/service.ts';
import { requestTimeoutMs } from '../../lib/telephony/service/service.ts';
import { type SimulatorSettings, startSimulator } from '../../sandbox/simulator/index.ts';
import type { Step } from '../../sandbox/simulator/script.ts';
import type { AnswerKind } from '../../sandbox/simulator/service/answer-quirks.ts';
import type { TestTables } from './dynamodb-local.ts';
import { manualClock } from './manual-clock.ts';
import { fixedAccounts } from './memory-ports.ts';
import { logIn, logOut, setState } from './sandbox.ts';

/** How a simulated contact centre is polled. */
interface CentreSettings extends Pick<SimulatorSettings, 'furtherAccounts'> {
  readonly userName: string;
  /** When the test's manual clock begins. */
  readonly start?: string;
}

/** Long enough for an answer on a busy machine. */
const answerTimeoutMs = 5_000;
/** The largest answer. */
const maxBytes = 8 * 1024 * 1024;
const apiKey = 'demo-key';
const timeZone = 'Asia/Kolkata';

/**
 * A simulated contact centre and the function that polls it, over HTTP and real tables, with a manual clock. A time-out
 * passes on that clock, so it costs the test little time.
 */
export const startCentre = async (tables: TestTables, settings: CentreSettings) => {
  const { userName, start = '2026-11-21T10:00:00.000Z', ...further } = settings;
  const time = manualClock(start);
  const simulator = await startSimulator({
    port: 0,
    callbackUrl: 'http://127.0.0.1:9',
    account: { userName, apiKey, timeZone },
    traffic: false,
    clock: { now: time.now, sleep: (_, stopped) => untilStopped(stopped) },
    ...further,
  });
  let http = telephonyHttp({ timeoutMs: answerTimeoutMs, maxBytes });
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
  const account: PolledAccount = {
    ...{ userName, timeZone, apiKeys: [apiKey], baseUrl: 'https://service.invalid' },
    token: { kind: 'none' },
  };
  const log: string[] = [];
  const table = dynamoAgentTable({ client: tables.client, tableName: tables.tableNames.agents, deadlineMs: 5_000 });
  const run = pollFunction({ time, service, account, table }, (line) => log.push(line));

  return {
    ...time,
    log,
    script(...steps: readonly Step[]) {
      const outcome = simulator.script(JSON.stringify(steps));
      if (!outcome.ok) throw new Error(outcome.problem.message);
    },
    /** Makes the service's next answers be of a kind. */
    async answer(kind: AnswerKind, count = 1, more: object = {}) {
      const body = JSON.stringify({ kind, count, ...more });
      await fetch(`${simulator.url}/_simulator/answers`, { method: 'POST', body });
    },
    /** Moves the clock to the next slot, or to a later instant, and handles a tick there. */
    async poll(at?: string) {
      const nextMs = at === undefined ? endOfSlot(slotOf(time.clock())) : Date.parse(at);
      time.advance(nextMs - time.now());
      await run(time.now());
    },
    /** For answers that will not come. */
    useShortTimeout() {
      http = telephonyHttp({ timeoutMs: 100, maxBytes });
    },
    useLongTimeout() {
      http = telephonyHttp({ timeoutMs: answerTimeoutMs, maxBytes });
    },
    /** What the service counted for this account. */
    usage: () => simulator.accounts()[userName],
    stop: () => simulator.stop(),
  };
};

export type Centre = Awaited<ReturnType<typeof startCentre>>;

/** A delayed answer is delayed until the service stops. */
const untilStopped = (stopped: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (stopped === undefined || stopped.aborted) resolve();
    else stopped.addEventListener('abort', () => resolve(), { once: true });
  });

/** What the function that polls an account works with. */
interface PollSettings {
  readonly time: ReturnType<typeof manualClock>;
  readonly service: TelephonyService;
  readonly account: PolledAccount;
  readonly table: AgentTable;
}

/** The function as a new process runs it. It handles a tick that was sent at an instant. */
export const pollFunction = (
  { time, service, account, table }: PollSettings,
  onLine: (line: string) => void = () => undefined,
) => {
  const telemetry = jsonTelemetry({ function: 'poll-agents', deployment: 'test' }, onLine);
  const poll = pollAgents({
    clock: time.clock,
    pause: async (milliseconds) => time.advance(milliseconds),
    telemetry,
    service,
    accounts: fixedAccounts([account]),
    table,
    retention: { snapshotDays: 7, intervalDays: 90 },
  });
  const handler = createPollHandler({ poll, telemetry, clock: time.clock });
  return (sentAt: number) => {
    const tick = { messageId: '1', body: 'tick', attributes: { SentTimestamp: String(sentAt) } };
    return handler({ Records: [tick] } as never, {} as never);
  };
};

/**
 * Polls an account for two days, with midnight at 18:30 UTC. asha logs out on the second day and in again; omar logs out
 * for good; asha#2 and ravi stay; meera logs in late.
 */
export const pollTwoDays = async (tables: TestTables, userName: string): Promise<Centre> => {
  const centre = await startCentre(tables, { userName, start: '2026-11-21T09:59:00.000Z' });
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
