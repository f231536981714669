import { fail, ok } from '../../../../lib/core/result.ts';
import type { Envelope } from '../../../../sandbox/bus/event-log.ts';
import { demoAccount } from '../../../../sandbox/sandbox-options.ts';
import { createFloor } from '../../../../sandbox/simulator/floor/floor.ts';
import { createLiveFloor } from '../../../../sandbox/simulator/floor/live-floor.ts';
import { longestCallMilliseconds } from '../../../../sandbox/simulator/floor/place-call.ts';
import { shiftsFor } from '../../../../sandbox/simulator/floor/shifts.ts';
import type { Post } from '../../../../sandbox/simulator/posts/post.ts';
import { fork, type Random, seededRandom } from '../../../../sandbox/simulator/random.ts';
import { loginRow } from '../../../../sandbox/simulator/service/responses.ts';
import { simulatedCall } from '../../../../sandbox/simulator/simulated-call.ts';
import { noFault } from '../../../faults/world/fault.ts';
import { createMemoryWorld } from '../../../faults/world/memory-world.ts';
import { httpApiEvent } from '../../../support/http-api-event.ts';

const account = { ...demoAccount, apiKey: demoAccount.apiKeys[0] ?? '' };
const slotMs = 15_000;
const hourMs = 3_600_000;
const streamBatch = 100;

/** The service says nothing for a minute and a half in the middle of every hour. */
const isSilent = (sinceMs: number): boolean => Math.abs((sinceMs % hourMs) - hourMs / 2) < 45_000;

/** Calls at a steady pace, planned ahead as the simulator's own traffic is, so that no agent is in two of them. */
const callPosts = (random: Random, floor: ReturnType<typeof createLiveFloor>, from: number, gapMs: number) => {
  let waiting: { readonly dueAt: number; readonly post: Post }[] = [];
  let nextAt = from + 1000;
  return (now: number): readonly Post[] => {
    for (; nextAt <= now + longestCallMilliseconds; nextAt += gapMs) {
      const { calls, posts } = simulatedCall(fork(random), nextAt, floor.planned(), account);
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

/** How long, and how busy it is: one call in so many milliseconds. */
interface Hours {
  readonly seed: number;
  readonly hours: number;
  readonly gapMs: number;
}

/**
 * Hours of the sandbox's contact centre on a clock that is set: the deployed functions over tables and a bus in memory,
 * the simulator's calls with all their quirks, its agents polled in every slot; one of them is given other skills. The
 * simulator's people work shifts of some twenty minutes. Yields the events of each slot.
 */
export async function* simulatedHours({ seed, hours, gapMs }: Hours): AsyncGenerator<readonly Envelope[]> {
  const from = Date.parse('2026-11-20T18:30:00.000Z');
  const random = seededRandom(seed);
  const staff = createFloor(fork(random), 8);
  const floor = createLiveFloor(staff, shiftsFor(fork(random), staff.agents, from));
  const posts = callPosts(fork(random), floor, from, gapMs);
  const world = createMemoryWorld({
    startedAt: new Date(from).toISOString(),
    accounts: [{ ...demoAccount, baseUrl: 'https://service.example' }],
    telephony: {
      post: async () => {
        const now = world.now().getTime();
        if (isSilent(now - from)) return fail({ reason: 'connection' });
        const message = floor.loggedInAt(now).map(loginRow);
        return ok({ status: 200, text: JSON.stringify({ status: 'success', message }) });
      },
    },
  });
  const functions = world.start(noFault, { storeDeadlineMs: 2_500 });
  const publish = async (): Promise<void> => {
    for (let [lane] = world.streams.waiting(); lane !== undefined; [lane] = world.streams.waiting())
      await world.streams.deliver(lane, streamBatch, functions.publish);
  };

  for (let sinceMs = 0; sinceMs < hours * hourMs; sinceMs += slotMs) {
    if (sinceMs === hourMs / 4) giveOtherSkills(floor, from + sinceMs);
    world.advance(from + sinceMs - world.now().getTime());
    await functions.poll({ Records: [{ attributes: { SentTimestamp: String(from + sinceMs) } }] } as never);
    for (const { body, contentType, query } of posts(from + sinceMs))
      await world.post(functions, httpApiEvent({ body, query, headers: { 'content-type': contentType } }));
    await publish();
    if (sinceMs % hourMs === 0) for (const table of ['calls', 'quarantine'] as const) world.expire(table, () => true);
    world.expire('agents', ({ kind }) => ['floor', 'interval', 'feed-change'].includes(kind?.S ?? ''));
    yield world.takeEvents();
  }
}

/** As who tries the sandbox does by hand. */
const giveOtherSkills = (floor: ReturnType<typeof createLiveFloor>, at: number): void => {
  const [agent] = floor.loggedInAt(at - slotMs);
  if (agent === undefined) throw new Error('Nobody is there');
  floor.script(new Map([[agent.id, { ...agent, skills: ['Something else'] }]]));
};
