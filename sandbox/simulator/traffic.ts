import { type CallsRequest, type CallsSent, countsOf } from './control-routes.ts';
import type { Launched } from './delivery/callbacks.ts';
import type { Floor } from './floor/floor.ts';
import type { LiveFloor } from './floor/live-floor.ts';
import { longestCallMilliseconds } from './floor/place-call.ts';
import { fork, type Random, seededRandom } from './random.ts';
import type { SimulatedAccount } from './service/accounts.ts';
import type { Clock } from './settings.ts';
import { type SimulatedCall, simulatedCall } from './simulated-call.ts';

/** Settings of the traffic. */
export interface TrafficSettings {
  readonly random: Random;
  readonly account: SimulatedAccount;
  /** The floor of the calls. getAgentLogins reads it at the same time. */
  readonly floor: LiveFloor;
  readonly callsPerMinute: number;
  readonly clock: Clock;
  readonly stopped: AbortSignal;
  /** Called with a call when its first post is due. It must not wait for the posts. */
  readonly launch: (simulated: SimulatedCall) => void;
}

interface Planned {
  readonly dueAt: number;
  readonly simulated: SimulatedCall;
}

const firstAfterMilliseconds = 1000;

/**
 * Sends calls until it is stopped. Calls are planned ahead by the length of the longest call. So all calls in progress
 * are known at any time, and no agent is in two of them.
 */
export const runTraffic = async (settings: TrafficSettings): Promise<void> => {
  const { random, account, floor, callsPerMinute, clock, stopped, launch } = settings;
  const planned: Planned[] = [];
  let nextAt = clock.now() + firstAfterMilliseconds;

  const planAhead = (now: number): void => {
    while (nextAt <= now + longestCallMilliseconds) {
      const simulated = simulatedCall(fork(random), nextAt, floor.planned(), account);
      const engagements = simulated.calls.flatMap((call) => call.engagements);
      floor.engage(engagements, now);
      planned.push({ dueAt: nextAt, simulated });
      nextAt += gapMilliseconds(random, callsPerMinute);
    }
  };

  while (!stopped.aborted) {
    planAhead(clock.now());
    const next = planned.shift();
    await clock.sleep((next?.dueAt ?? nextAt) - clock.now(), stopped);
    if (next && !stopped.aborted) launch(next.simulated);
  }
};

/** Calls are independent of each other, but gaps are limited so that users never wait long for a call. */
const gapMilliseconds = (random: Random, callsPerMinute: number): number => {
  const mean = 60_000 / callsPerMinute;
  return Math.min(3 * mean, Math.max(1, -Math.log(1 - random()) * mean));
};

/** Settings of calls on request. */
export interface OnDemandSettings {
  /** Used if a request names no seed. */
  readonly random: Random;
  /** A floor without calls: calls on request are already over and take no agent from the traffic. */
  readonly floor: Floor;
  readonly account: SimulatedAccount;
  readonly clock: Clock;
  readonly pace: number;
  readonly launch: (simulated: SimulatedCall, pace: number, callbacks: CallsRequest['callbacks']) => Launched;
}

/** Sends the calls of a request. */
export const callsOnDemand =
  ({ random, floor, account, clock, pace: defaultPace, launch }: OnDemandSettings) =>
  async ({ count, kind, seed, at, spreadSeconds, callbacks, pace = defaultPace }: CallsRequest): Promise<CallsSent> => {
    const source = seed === undefined ? random : seededRandom(seed);
    const firstAt = at === undefined ? clock.now() : Date.parse(at);
    const simulated = Array.from({ length: count }, (_, index) =>
      simulatedCall(fork(source), firstAt + (index * spreadSeconds * 1000) / count, floor, account, kind),
    );

    const launched = simulated.map((call) => launch(call, pace, callbacks));
    const answers = (await Promise.all(launched.map(({ atOnce }) => atOnce))).flat();
    const posts = launched.flatMap((call) => call.posts);
    return {
      callIds: simulated.flatMap(({ calls }) => calls.map(({ id }) => id)),
      posts: posts.length,
      later: posts.filter(({ afterSeconds }) => afterSeconds * pace > 0).length,
      answers: countsOf(answers),
    };
  };
