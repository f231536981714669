import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamoAgentTable } from '../../functions/adapters/dynamo-agent-table.ts';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import { createPollHandler } from '../../functions/poll-agents/app.ts';
import { tickEntries } from '../../functions/poll-agents/ticks.ts';
import type { PollFailure } from '../../lib/agents/feed.ts';
import type { PolledAccount, TelephonyService } from '../../lib/agents/get-agent-logins.ts';
import { pollAgents } from '../../lib/agents/poll-agents.ts';
import { requestTimeoutMs, slotOf, slotSeconds } from '../../lib/agents/rate-limit.ts';
import { fail } from '../../lib/core/result.ts';
import { type Simulator, startSimulator } from '../../sandbox/simulator/index.ts';
import { between, chance, type Random, seededRandom } from '../../sandbox/simulator/random.ts';
import { manualClock } from '../support/agent-polling.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { fixedAccounts } from '../support/memory-ports.ts';

const start = '2026-11-21T10:00:00.000Z';
const minuteMs = 60_000;
const lambdaContext = {} as never;

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

/** A service, and a simulated time in which it is asked: requests take their time, and those unanswered their time-out. */
const startService = async (seed: number, token: PolledAccount['token'], silence: number) => {
  const random = seededRandom(seed);
  const time = manualClock(start);
  const silences: number[] = [];
  let notice = (): void => undefined;
  const userName = `demo-${seed}`;
  const simulator: Simulator = await startSimulator({
    port: 0,
    callbackUrl: 'http://127.0.0.1:9',
    account: { userName, apiKey: 'demo-key', timeZone: 'Asia/Kolkata', token },
    traffic: false,
    clock: { now: time.now, sleep: async (milliseconds) => time.advance(milliseconds) },
    fault: () => {
      if (!chance(random, silence)) return 'none';
      silences.push(time.now());
      notice();
      return 'timeout';
    },
  });
  const http = telephonyHttp({ timeoutMs: 10_000 });
  const service: TelephonyService = {
    async post(request) {
      // Nobody waits for what will not come; how long somebody would have waited is simulated too.
      const silent = new Promise<'silence'>((resolve) => {
        notice = () => resolve('silence');
      });
      const heard = await Promise.race([http.post(request), silent]);
      const answer = heard === 'silence' ? fail<PollFailure>({ reason: 'timeout' }) : heard;
      time.advance(answer.ok ? between(random, 20, 900) : requestTimeoutMs);
      return answer;
    },
  };
  const account: PolledAccount = {
    userName,
    apiKeys: ['demo-key'],
    baseUrl: simulator.url,
    timeZone: 'Asia/Kolkata',
    token,
  };

  return { random, time, silences, simulator, service, account };
};

/** The function, as a new process would have it. */
const startFunction = ({ time, service, account }: Awaited<ReturnType<typeof startService>>) => {
  const telemetry = jsonTelemetry({ function: 'poll-agents', deployment: 'test' }, () => undefined);
  const { client, tableNames } = tables;
  const poll = pollAgents({
    clock: time.clock,
    pause: async (milliseconds) => time.advance(milliseconds),
    telemetry,
    service,
    accounts: fixedAccounts([account]),
    table: dynamoAgentTable({ client, tableName: tableNames.agents, deadlineMs: 5_000 }),
    retention: { snapshotDays: 7, intervalDays: 90 },
  });
  const handler = createPollHandler({ poll, telemetry, clock: time.clock });
  return (sentAt: number) => handler(ticksSentAt(sentAt), lambdaContext);
};

const ticksSentAt = (sentAt: number): SQSEvent =>
  ({ Records: [{ messageId: '1', body: 'tick', attributes: { SentTimestamp: String(sentAt) } }] }) as never;

interface Tick {
  readonly sentAt: number;
  readonly runsAt: number;
  readonly processes: number;
}

/** The ticks of a schedule that fires twice each minute: late by up to a slot, some again, some in two processes at once. */
const ticksOf = (random: Random, minutes: number): readonly Tick[] =>
  Array.from({ length: minutes }, (_, minute) => Date.parse(start) + minute * minuteMs)
    .flatMap((firing) => [firing, firing + between(random, 0, 900)])
    .flatMap((sentAt) => tickEntries.map(({ DelaySeconds }) => ({ sentAt, dueAt: sentAt + DelaySeconds * 1000 })))
    .flatMap(({ sentAt, dueAt }) => {
      const late = chance(random, 0.3) ? between(random, 0, slotSeconds * 1000) : between(random, 0, 400);
      const tick = { sentAt, runsAt: dueAt + late, processes: chance(random, 0.3) ? 2 : 1 };
      return chance(random, 0.2) ? [tick, { ...tick, runsAt: tick.runsAt + between(random, 1, 8_000) }] : [tick];
    })
    .sort((a, b) => a.runsAt - b.runsAt);

describe('the limit of getAgentLogins, as the service counts', () => {
  it.each([
    { seed: 1, silence: 0, what: 'all is well' },
    { seed: 2, silence: 0.25, what: 'a quarter of the requests gets no answer' },
    { seed: 3, silence: 0.7, what: 'most requests get no answer' },
  ])(
    'holds over ten minutes of doubled, late, repeated and overlapping ticks, when $what',
    async ({ seed, silence }) => {
      const here = await startService(seed, { kind: 'none' }, silence);
      const { random, time, simulator, silences } = here;
      let functions = [startFunction(here), startFunction(here)];
      const ran: number[] = [];
      const ticks = ticksOf(random, 10);

      for (const [index, { sentAt, runsAt, processes }] of ticks.entries()) {
        if (index === Math.floor(ticks.length / 2)) functions = [startFunction(here), startFunction(here)];
        time.advance(Math.max(0, runsAt - time.now()));
        ran.push(time.now());
        await Promise.all(functions.slice(0, processes).map((run) => run(sentAt)));
        if (chance(random, 0.5)) functions.reverse();
      }
      const { requestTimes, offences, mostInAnyMinute } = simulator.accounts()[here.account.userName] ?? {};
      await simulator.stop();

      expect(offences).toBe(0);
      expect(mostInAnyMinute).toBeLessThanOrEqual(5);
      const times = requestTimes ?? [];
      for (const [slot, requests] of Map.groupBy(times, (at) => slotOf(new Date(at)))) {
        const unanswered = silences.filter((at) => slotOf(new Date(at)) === slot).length;
        expect(requests.length, `requests in slot ${slot}`).toBeLessThanOrEqual(1 + Math.min(1, unanswered));
      }
      // Each slot in which a tick ran was polled, unless the limit was used up at every such moment.
      const polled = new Set(times.map((at) => slotOf(new Date(at))));
      const missed = ran.filter((at) => !polled.has(slotOf(new Date(at))));
      const possible = missed.filter(
        (at) => times.filter((t) => t >= at - minuteMs - requestTimeoutMs && t <= at).length < 5,
      );
      expect(possible.map((at) => new Date(at).toISOString())).toEqual([]);
      expect(polled.size).toBeGreaterThan(silence === 0 ? 39 : 25);
    },
  );
});

describe('the limit of token generation, as the service counts', () => {
  it.each([
    { seed: 4, silence: 0, refusals: 0, what: 'all is well' },
    { seed: 5, silence: 0.3, refusals: 0.2, what: 'requests get no answer, and tokens are refused' },
    { seed: 6, silence: 0, refusals: 1, what: 'every token is refused' },
  ])(
    'holds over three hours with a restart every quarter of an hour, when $what',
    async ({ seed, silence, refusals }) => {
      const here = await startService(seed, { kind: 'generate' }, silence);
      const { random, time, simulator } = here;
      let run = startFunction(here);

      for (let minute = 0; minute < 180; minute++) {
        time.advance(Math.max(0, Date.parse(start) + minute * minuteMs - time.now()));
        if (minute % 15 === 0) run = startFunction(here);
        if (chance(random, refusals))
          await fetch(`${simulator.url}/_simulator/answers`, { method: 'POST', body: '{"kind":"401-status-false"}' });
        await run(time.now());
      }
      const report = simulator.accounts()[here.account.userName];
      await simulator.stop();

      expect(report?.tokens.offences).toBe(0);
      expect(report?.tokens.mostInAnyHour).toBeLessThanOrEqual(10);
      expect(report?.offences).toBe(0);
      // Three hours at 55 minutes a token.
      if (refusals === 0 && silence === 0) expect(report?.tokens.generated).toBe(4);
      expect(report?.requests).toBeGreaterThan(refusals === 0 && silence === 0 ? 178 : 30);
    },
  );
});
