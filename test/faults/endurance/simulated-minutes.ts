import * as z from 'zod';
import { ok } from '../../../lib/core/result.ts';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import { between, chance, fork, pick, type Random, seededRandom } from '../../../sandbox/simulator/random.ts';
import { httpApiEvent } from '../../support/http-api-event.ts';
import { usedBytes } from '../memory.ts';
import { posts } from '../posts/posts.ts';
import { noFault } from '../world/fault.ts';
import { createMemoryWorld } from '../world/memory-world.ts';

const states = ['READY', 'INCALL', 'ACW', 'PAUSE', 'Idle'] as const;

/** How many of the floor do something else at a poll that finds it changed. */
const movesPerChange = 5;

/** How likely a poll finds the floor changed. */
const changeRate = 0.5;

/** A floor of so many agents, as getAgentLogins answers with it: now and then some of them do something else. */
const busyAgents = (count: number, random: Random) => {
  const floor = Array.from({ length: count }, (_, index) => ({
    AgentId: `agent-${index}`,
    AgentName: `Agent ${index}`,
    PhoneNumber: `0800${String(index).padStart(6, '0')}`,
    AgentState: 'READY' as string,
    SkillName: 'Sales, Support',
  }));

  return (): string => {
    for (let move = 0; chance(random, changeRate) && move < movesPerChange; move++) {
      const agent = floor[between(random, 0, count - 1)];
      if (agent !== undefined) agent.AgentState = pick(random, states);
    }
    return JSON.stringify({ status: 'success', message: floor });
  };
};

/** What a simulated minute left behind. */
export interface Minute {
  /** Counted from 1. */
  readonly minute: number;
  readonly posts: number;
  readonly polls: number;
  readonly events: number;
  /** Memory in use once all garbage is gone and all rows have expired. */
  readonly usedMb: number;
  /** The longest time from a row to its event. */
  readonly lagSeconds: number;
  /** How old the picture of the agents became. */
  readonly pictureSeconds: number;
  /** Statuses of replies that no post of a contact centre may get. */
  readonly refused: readonly number[];
}

/** How long is simulated, and how busy it is. */
export interface SimulatedOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly postsPerSecond: number;
  readonly agents: number;
}

const startedAt = '2026-11-20T06:00:00.000Z';
const secondMs = 1_000;
const secondsPerMinute = 60;
const secondsPerSlot = 15;
const streamBatch = 100;
const bytesPerMb = 2 ** 20;

/** As deployed: the timers that bound a post have to go while the simulation runs, as they would. */
const storeDeadlineMs = 2_500;

const Told = z.object({ recordedAt: z.string() });

/** Kinds of row that one minute adds to another; what is left is the floor as it is. */
const passing = new Set(['floor', 'interval', 'feed-change']);

/** One process of each function through so many minutes: posts and the publisher every second, a poll every slot. */
export async function* simulatedMinutes(options: SimulatedOptions): AsyncGenerator<Minute> {
  const random = seededRandom(options.seed);
  const series = posts(fork(random));
  const answer = busyAgents(options.agents, fork(random));
  const account = { ...demoAccount, baseUrl: 'https://service.example' };
  const world = createMemoryWorld({
    startedAt,
    accounts: [account],
    telephony: { post: async () => ok({ status: 200, text: answer() }) },
  });
  const functions = world.start(noFault, { storeDeadlineMs });
  const now = () => world.now().getTime();

  const post = async (): Promise<number> => {
    const { body, contentType, query } = series.next().value;
    const event = httpApiEvent({ body, query, headers: { 'content-type': contentType } });
    return (await world.post(functions, event))?.statusCode ?? 0;
  };
  const publish = async (): Promise<void> => {
    for (let [lane] = world.streams.waiting(); lane !== undefined; [lane] = world.streams.waiting())
      await world.streams.deliver(lane, streamBatch, functions.publish);
  };
  const poll = () => functions.poll({ Records: [{ attributes: { SentTimestamp: String(now()) } }] } as never);
  const pictureSeconds = (): number => {
    const [feed] = world.rows('agents').filter((row) => row['kind'] === 'feed');
    return (now() - Date.parse(String(feed?.['asOf'] ?? startedAt))) / secondMs;
  };

  for (let minute = 1; minute <= options.minutes; minute++) {
    const statuses: number[] = [];
    let [events, lagSeconds, oldest] = [0, 0, 0];
    for (let second = 0; second < secondsPerMinute; second++) {
      if (second % secondsPerSlot === 0) await poll();
      for (let sent = 0; sent < options.postsPerSecond; sent++) statuses.push(await post());
      world.advance(secondMs);
      await publish();
      const told = world.takeEvents().map(({ detail }) => Told.parse(detail).recordedAt);
      events += told.length;
      lagSeconds = Math.max(lagSeconds, ...told.map((recordedAt) => (now() - Date.parse(recordedAt)) / secondMs));
      oldest = Math.max(oldest, pictureSeconds());
    }
    world.expire('calls', () => true);
    world.expire('quarantine', () => true);
    world.expire('agents', ({ kind }) => passing.has(kind?.S ?? ''));
    yield {
      minute,
      events,
      lagSeconds,
      posts: statuses.length,
      polls: secondsPerMinute / secondsPerSlot,
      usedMb: (await usedBytes()) / bytesPerMb,
      pictureSeconds: oldest,
      refused: statuses.filter((status) => status !== 200 && status !== 400),
    };
  }
}
