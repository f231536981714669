import { fail, ok } from '../../lib/core/result.ts';
import type { ReportService } from '../../lib/service/service.ts';
import type { Envelope } from '../../sandbox/bus/event-log.ts';
import { demoAccount } from '../../sandbox/sandbox-options.ts';
import { loginRow } from '../../sandbox/simulator/answers.ts';
import { longestCallMilliseconds } from '../../sandbox/simulator/call.ts';
import { createFloor, createLiveFloor, shiftsFor } from '../../sandbox/simulator/floor.ts';
import type { Post } from '../../sandbox/simulator/posts.ts';
import { fork, type Random, seededRandom } from '../../sandbox/simulator/random.ts';
import { simulatedCall } from '../../sandbox/simulator/simulated-call.ts';
import { httpApiEvent } from '../support/local-servers.ts';
import { noFault } from './fault.ts';
import { createMemoryWorld } from './memory-world.ts';

const slotMs = 15_000;
const hourMs = 3_600_000;
const streamBatch = 100;

/** The service does not answer for 90 seconds in the middle of every hour. */
const isDown = (sinceMs: number): boolean => Math.abs((sinceMs % hourMs) - hourMs / 2) < 45_000;

/** Calls at a steady rate, planned ahead like the simulator's own traffic, so that no agent is in two calls. */
const callPosts = (random: Random, floor: ReturnType<typeof createLiveFloor>, from: number, gapMs: number) => {
  let waiting: { readonly dueAt: number; readonly post: Post }[] = [];
  let nextAt = from + 1000;
  return (now: number): readonly Post[] => {
    for (; nextAt <= now + longestCallMilliseconds; nextAt += gapMs) {
      const { calls, posts } = simulatedCall(fork(random), nextAt, floor.planned(), demoAccount);
      floor.engage(
        calls.flatMap(({ engagements }) => engagements),
        now,
      );
      const first = posts[0]?.afterSeconds ?? 0;
      for (const post of posts) waiting.push({ dueAt: nextAt + (post.afterSeconds - first) * 1000, post });
    }
    const due = waiting.filter(({ dueAt }) => dueAt <= now).sort((a, b) => a.dueAt - b.dueAt);
    waiting = waiting.filter(({ dueAt }) => dueAt > now);
    return due.map(({ post }) => post);
  };
};

/** The milliseconds between two calls, the agents, and the report of calls, of which there is none by default. */
interface Centre {
  readonly seed: number;
  readonly gapMs: number;
  /** There are at least twenty. */
  readonly agents?: number;
  readonly report?: ReportService;
}

/**
 * The simulated contact centre by a clock that the test sets: the deployed functions over tables and a bus in memory, the
 * simulator's calls with all their quirks, and its agents polled in every slot. Agents work shifts of some twenty minutes,
 * and one gets other skills.
 */
export const simulatedCentre = ({ seed, gapMs, agents = 0, report }: Centre) => {
  const from = Date.parse('2026-11-20T18:30:00.000Z');
  const random = seededRandom(seed);
  const staff = createFloor(fork(random), agents);
  const floor = createLiveFloor(staff, shiftsFor(fork(random), staff.agents, from));
  const posts = callPosts(fork(random), floor, from, gapMs);
  let isClosed = false;
  const world = createMemoryWorld({
    startedAt: new Date(from).toISOString(),
    accounts: [{ ...demoAccount, baseUrl: 'https://service.example' }],
    telephony: {
      post: async ({ url }) => {
        const now = world.now().getTime();
        if (!url.endsWith('/getAgentLogins')) return ok({ status: 200, text: JSON.stringify({ token: 'token-1' }) });
        if (isDown(now - from)) return fail({ reason: 'connection' });
        const message = isClosed ? [] : floor.loggedInAt(now).map(loginRow);
        return ok({ status: 200, text: JSON.stringify({ status: 'success', message }) });
      },
    },
    ...(report !== undefined && { report }),
  });
  const functions = world.start(noFault, { storeDeadlineMs: 2_500 });
  const publish = async (): Promise<void> => {
    for (let [shard] = world.streams.waiting(); shard !== undefined; [shard] = world.streams.waiting())
      await world.streams.deliver(shard, streamBatch, functions.publish);
  };

  const poll = async (): Promise<void> => {
    await world.tick(functions);
  };

  return {
    ...{ world, functions },
    /** The slot after those hours, in which everybody logs out. */
    async close(): Promise<void> {
      isClosed = true;
      world.advance(slotMs);
      await poll();
      await publish();
    },
    /** What happens in each slot of an hour or several: one poll, the posts that are due, their events. */
    async *slots(hours: number): AsyncGenerator<number> {
      for (let sinceMs = 0; sinceMs < hours * hourMs; sinceMs += slotMs) {
        if (sinceMs === hourMs / 4) changeSkills(floor, from + sinceMs);
        world.advance(from + sinceMs - world.now().getTime());
        await poll();
        for (const { body, contentType, query } of posts(from + sinceMs))
          await world.post(functions, httpApiEvent({ body, query, headers: { 'content-type': contentType } }));
        await publish();
        yield sinceMs;
      }
    },
  };
};

/** The events of each slot of hours of the simulated contact centre. Its rows are deleted soon, as they would be many. */
export async function* simulatedHours({
  hours,
  ...centre
}: Centre & { readonly hours: number }): AsyncGenerator<readonly Envelope[]> {
  const { world, slots } = simulatedCentre(centre);
  for await (const sinceMs of slots(hours)) {
    if (sinceMs % hourMs === 0) for (const table of ['calls', 'quarantine'] as const) world.expire(table, () => true);
    world.expire('agents', ({ kind }) => ['floor', 'interval', 'feed-change'].includes(kind?.S ?? ''));
    yield world.takeEvents();
  }
}

/** A change that the simulator makes only on request. */
const changeSkills = (floor: ReturnType<typeof createLiveFloor>, at: number): void => {
  const [agent] = floor.loggedInAt(at - slotMs);
  if (agent === undefined) throw new Error('No agent is logged in');
  floor.script(new Map([[agent.id, { ...agent, skills: ['Something else'] }]]));
};
