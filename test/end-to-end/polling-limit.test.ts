import { expect, it, onTestFinished } from 'vitest';
import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import { slotOf, slotSeconds } from '../../functions/poll-agents/rate-limit.ts';
import { tickEntries } from '../../functions/poll-agents/ticks.ts';
import type { PolledAccount } from '../../lib/accounts/accounts.ts';
import { fail } from '../../lib/core/result.ts';
import { requestTimeoutMs, type ServiceFailure, type TelephonyService } from '../../lib/service/service.ts';
import { createFaultBoard } from '../../sandbox/frame/faults.ts';
import { type Simulator, startSimulator } from '../../sandbox/simulator/index.ts';
import { between, chance, type Random, seededRandom } from '../../sandbox/simulator/random.ts';
import { manualClock, memoryAgentTable } from '../support/memory-ports.ts';
import { pollFunction } from '../support/polled-centre.ts';

const start = '2026-11-21T10:00:00.000Z';
const minuteMs = 60_000;

/** How a simulated service behaves. */
interface Settings {
  readonly seed: number;
  readonly token: PolledAccount['token'];
  /** The share of the requests that get no answer. */
  readonly silence: number;
}

/** A simulated service and the clock that it shares with the function: a request takes its time, or its time-out. */
const startService = async ({ seed, token, silence }: Settings) => {
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
  const account = { userName, apiKeys: ['demo-key'], baseUrl: simulator.url, timeZone: 'Asia/Kolkata', token };

  return { random, time, silences, simulator, service, account, dynamodb: memoryAgentTable().client };
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
const pollThrough = async (minutes: number): Promise<void> => {
  const here = await startService({ seed: 2, silence: 0.25, token: { kind: 'none' } });
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
  expect(polled.size).toBeGreaterThan(2.5 * minutes);
};

it('the limit of getAgentLogins holds over ten minutes of doubled, late, repeated and overlapping ticks', () =>
  pollThrough(10));

it('the limit of token generation holds over three hours with a restart every quarter of an hour', async () => {
  const here = await startService({ seed: 5, silence: 0.3, token: { kind: 'generate' } });
  const { random, time, simulator } = here;
  let run = pollFunction(here);

  for (let minute = 0; minute < 180; minute++) {
    time.advance(Math.max(0, Date.parse(start) + minute * minuteMs - time.now()));
    if (minute % 15 === 0) run = pollFunction(here);
    if (chance(random, 0.2))
      await fetch(`${simulator.url}/_simulator/answers`, { method: 'POST', body: '{"kind":"401-status-false"}' });
    await run(time.now());
  }
  const report = simulator.accounts()[here.account.userName];

  expect(report?.tokens.overLimit).toBe(0);
  expect(report?.tokens.maxPerHour).toBeLessThanOrEqual(10);
  expect(report?.overLimit).toBe(0);
  expect(report?.requests).toBeGreaterThan(30);
});
