import { describe, expect, it, onTestFinished } from 'vitest';
import { dynamoAgentTable } from '../../functions/adapters/dynamo-agent-table.ts';
import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import { slotOf, slotSeconds } from '../../functions/poll-agents/rate-limit.ts';
import { tickEntries } from '../../functions/poll-agents/ticks.ts';
import type { PolledAccount } from '../../lib/accounts/accounts.ts';
import { loginsRequest } from '../../lib/agents/get-agent-logins.ts';
import { fail } from '../../lib/core/result.ts';
import { requestTimeoutMs, type ServiceFailure, type TelephonyService } from '../../lib/service/service.ts';
import type { AgentTable } from '../../lib/storage/rows.ts';
import { createFaultBoard } from '../../sandbox/faults.ts';
import { type Simulator, startSimulator } from '../../sandbox/simulator/index.ts';
import { between, chance, type Random, seededRandom } from '../../sandbox/simulator/random.ts';
import { startTestTables } from '../support/dynamodb-local.ts';
import { manualClock, memoryAgentTable } from '../support/memory-ports.ts';
import { pollFunction } from '../support/polled-centre.ts';

const start = '2026-11-21T10:00:00.000Z';
const minuteMs = 60_000;

/** How a simulated service behaves, and the table in which the function remembers it. */
interface Settings {
  readonly seed: number;
  readonly token: PolledAccount['token'];
  /** The share of the requests that get no answer. */
  readonly silence: number;
  readonly table: AgentTable;
}

/** A simulated service and the clock that it shares with the function: a request takes its time, or its time-out. */
const startService = async ({ seed, token, silence, table }: Settings) => {
  const random = seededRandom(seed);
  const time = manualClock(start);
  const silences: number[] = [];
  let onSilence = (): void => undefined;
  const userName = `demo-${seed}`;
  const simulator: Simulator = await startSimulator({
    port: 0,
    callbackUrl: 'http://127.0.0.1:9',
    accounts: [{ userName, apiKeys: ['demo-key'], timeZone: 'Asia/Kolkata', token }],
    traffic: false,
    clock: { now: time.now, sleep: async (milliseconds) => time.advance(milliseconds) },
    board: {
      ...createFaultBoard(),
      draw() {
        if (!chance(random, silence)) return 'none';
        silences.push(time.now());
        onSilence();
        return 'timeout';
      },
    },
  });
  onTestFinished(() => simulator.stop());
  const http = telephonyHttp({ timeoutMs: 10_000 });
  const service: TelephonyService = {
    async post(request) {
      // The test does not wait for an answer that never comes: the time-out passes on the simulated clock.
      const silent = new Promise<'silence'>((resolve) => {
        onSilence = () => resolve('silence');
      });
      const outcome = await Promise.race([http.post(request), silent]);
      const answer = outcome === 'silence' ? fail<ServiceFailure>({ reason: 'timeout' }) : outcome;
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

  return { random, time, silences, simulator, service, account, table };
};

interface Tick {
  readonly sentAt: number;
  readonly runsAt: number;
  readonly processes: number;
}

/** The ticks of a schedule that fires twice a minute: some come late, some twice, and some run in two processes at once. */
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

/** Serves the ticks of so many minutes, and checks every request that the service counted. */
const pollThrough = async (minutes: number, settings: Omit<Settings, 'token'>): Promise<void> => {
  const here = await startService({ ...settings, token: { kind: 'none' } });
  const { random, time, simulator, silences } = here;
  let functions = [pollFunction(here), pollFunction(here)];
  const tickTimes: number[] = [];
  const ticks = ticksOf(random, minutes);

  for (const [index, { sentAt, runsAt, processes }] of ticks.entries()) {
    if (index === Math.floor(ticks.length / 2)) functions = [pollFunction(here), pollFunction(here)];
    time.advance(Math.max(0, runsAt - time.now()));
    tickTimes.push(time.now());
    await Promise.all(functions.slice(0, processes).map((run) => run(sentAt)));
    if (chance(random, 0.5)) functions.reverse();
  }
  const { requestTimes = [], overLimit, maxPerMinute } = simulator.accounts()[here.account.userName] ?? {};

  expect(overLimit).toBe(0);
  expect(maxPerMinute).toBeLessThanOrEqual(5);
  for (const [slot, requests] of Map.groupBy(requestTimes, (at) => slotOf(new Date(at)))) {
    const unanswered = silences.filter((at) => slotOf(new Date(at)) === slot).length;
    expect(requests.length, `requests in slot ${slot}`).toBeLessThanOrEqual(1 + Math.min(1, unanswered));
  }
  // Each slot in which a tick ran was polled, unless the limit was used up at every such moment.
  const polled = new Set(requestTimes.map((at) => slotOf(new Date(at))));
  const missed = tickTimes.filter((at) => !polled.has(slotOf(new Date(at))));
  const possible = missed.filter(
    (at) => requestTimes.filter((t) => t >= at - minuteMs - requestTimeoutMs && t <= at).length < 5,
  );
  expect(possible.map((at) => new Date(at).toISOString())).toEqual([]);
  expect(polled.size).toBeGreaterThan((settings.silence === 0 ? 3.9 : 2.5) * minutes);
};

describe('the limit of getAgentLogins, as the service counts', () => {
  it.each([
    { seed: 1, silence: 0, what: 'all is well' },
    { seed: 2, silence: 0.25, what: 'a quarter of the requests gets no answer' },
    { seed: 3, silence: 0.7, what: 'most requests get no answer' },
  ])('holds over ten minutes of doubled, late, repeated and overlapping ticks, when $what', ({ seed, silence }) =>
    pollThrough(10, { seed, silence, table: memoryAgentTable() }),
  );

  it('holds over DynamoDB for two minutes of such ticks, when a quarter of the requests gets no answer', async () => {
    const { client, tableNames, stop } = await startTestTables();
    onTestFinished(stop);

    const table = dynamoAgentTable({ client, tableName: tableNames.agents, deadlineMs: 50_000 });
    await pollThrough(2, { seed: 7, silence: 0.25, table });
  });
});

describe('the limit of getAgentLogins, shared with somebody else’s queries', () => {
  /** Polls every slot of so many minutes, each up to 0.4 s late; somebody else queries in each of the given seconds. */
  const pollBeside = async (minutes: number, seed: number, queriesAt: readonly number[]) => {
    const table = memoryAgentTable();
    const here = await startService({ seed, silence: 0, token: { kind: 'none' }, table });
    const { random, time, simulator, account } = here;
    const run = pollFunction(here);
    const begin = time.now();
    const polls = Array.from({ length: minutes * 4 }, (_, slot) => slot * slotSeconds * 1000 + between(random, 0, 400));
    const events = [
      ...polls.map((ms) => ({ ms, act: () => run(time.now()) })),
      ...queriesAt.map((second) => ({
        ms: second * 1000,
        act: () => here.service.post(loginsRequest(account, undefined)),
      })),
    ].sort((a, b) => a.ms - b.ms);
    const asOfs = new Set<string>();

    for (const { ms, act } of events) {
      time.advance(Math.max(0, begin + ms - time.now()));
      await act();
      const feed = table.all().find(({ kind }) => kind === 'feed');
      if (feed?.['asOf'] !== undefined) asOfs.add(String(feed['asOf']));
    }
    const answered = [...asOfs].map((asOf) => Date.parse(asOf));
    const gaps = answered.slice(1).map((asOf, index) => (asOf - (answered[index] ?? asOf)) / 1000);
    return {
      longestGap: Math.max(...gaps),
      lostSlots: polls.length - answered.length,
      interruptions: table.all().filter(({ kind }) => kind === 'feed-change'),
      report: simulator.accounts()[account.userName],
    };
  };

  it('loses at most one slot to a query, which interrupts nothing', async () => {
    const queriesAt = Array.from({ length: 20 }, (_, index) => (index + 1) * 180 + index * 0.7);
    const { longestGap, lostSlots, interruptions, report } = await pollBeside(65, 8, queriesAt);

    expect(report?.overLimit).toBeGreaterThan(5);
    expect(lostSlots).toBeLessThanOrEqual(queriesAt.length);
    expect(longestGap).toBeLessThanOrEqual(31);
    expect(interruptions).toEqual([]);
  });

  it('is live again within a minute after two queries at once', async () => {
    const { longestGap } = await pollBeside(10, 9, [181, 182]);

    expect(longestGap).toBeGreaterThan(30);
    expect(longestGap).toBeLessThanOrEqual(61);
  });

  it('backs off for longer and longer from another poller, and resumes within five minutes after it has stopped', async () => {
    const queriesAt = Array.from({ length: 120 }, (_, index) => 60 + index * 10);
    const { report, longestGap, lostSlots } = await pollBeside(40, 10, queriesAt);

    // Without a back-off it would poll 160 times.
    expect(Number(report?.requests) - queriesAt.length).toBeLessThan(100);
    expect(longestGap).toBeLessThanOrEqual(20 * 60 + 300);
    expect(lostSlots).toBeLessThanOrEqual((20 + 5) * 4);
  });
});

describe('the limit of token generation, as the service counts', () => {
  it.each([
    { seed: 4, silence: 0, rejected: 0, what: 'all is well' },
    { seed: 5, silence: 0.3, rejected: 0.2, what: 'requests get no answer, and tokens are rejected' },
    { seed: 6, silence: 0, rejected: 1, what: 'every token is rejected' },
  ])('holds over three hours with a restart every quarter of an hour, when $what', async (settings) => {
    const { rejected, silence } = settings;
    const isHealthy = rejected === 0 && silence === 0;
    const here = await startService({ ...settings, token: { kind: 'generate' }, table: memoryAgentTable() });
    const { random, time, simulator } = here;
    let run = pollFunction(here);

    for (let minute = 0; minute < 180; minute++) {
      time.advance(Math.max(0, Date.parse(start) + minute * minuteMs - time.now()));
      if (minute % 15 === 0) run = pollFunction(here);
      if (chance(random, rejected))
        await fetch(`${simulator.url}/_simulator/answers`, { method: 'POST', body: '{"kind":"401-status-false"}' });
      await run(time.now());
    }
    const report = simulator.accounts()[here.account.userName];

    expect(report?.tokens.overLimit).toBe(0);
    expect(report?.tokens.maxPerHour).toBeLessThanOrEqual(10);
    expect(report?.overLimit).toBe(0);
    // A token lasts for 55 minutes.
    if (isHealthy) expect(report?.tokens.generated).toBe(4);
    expect(report?.requests).toBeGreaterThan(isHealthy ? 178 : 30);
  });
});
