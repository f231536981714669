import { randomInt } from 'node:crypto';
import { systemClock } from './clock.ts';
import { createTally } from './delivery/counts.ts';
import { createCourier } from './delivery/courier.ts';
import { dispatch } from './delivery/dispatch.ts';
import { createFloor } from './floor/floor.ts';
import { controlRoutes } from './http/control-routes.ts';
import { listen } from './http/server.ts';
import { kinds } from './kinds.ts';
import { callsOnDemand } from './on-demand.ts';
import type { Post } from './posts/post.ts';
import { fork, seededRandom } from './random.ts';
import type { Simulator, SimulatorSettings } from './settings.ts';
import { runTraffic } from './traffic.ts';

export type { Simulator, SimulatorSettings } from './settings.ts';

/**
 * Plays the contact-centre service: posts call summaries to the receiver, and listens on the service's own address.
 * Rejects where the port is taken or `callsPerMinute` is out of range.
 *
 * @example
 * const simulator = await startSimulator({ port: 0, callbackUrl, account, traffic: false });
 * await fetch(`${simulator.url}/_simulator/calls`, { method: 'POST', body: '{"count":3,"kind":"number-id"}' });
 * await simulator.stop();
 */
export const startSimulator = async (settings: SimulatorSettings): Promise<Simulator> => {
  const { account, clock = systemClock, pace = 1, callsPerMinute = 20, onTold = () => undefined } = settings;
  const { seed = randomInt(2 ** 32), fault = () => 'none' } = settings;
  const { tries = 3, retrySeconds = 1, timeoutSeconds = 10 } = settings;

  if (!(callsPerMinute > 0 && callsPerMinute <= mostCallsPerMinute))
    throw new RangeError(`callsPerMinute is more than 0 and at most ${mostCallsPerMinute}`);

  const stopping = new AbortController();
  const stopped = stopping.signal;
  const random = seededRandom(seed);
  // The same people whatever the seed, so that a restart does not exchange them.
  const floor = createFloor(seededRandom(staffSeed), 3 * callsPerMinute);
  const tally = createTally();
  const courier = createCourier({
    ...settings,
    tries,
    retrySeconds,
    timeoutSeconds,
    clock,
    tally,
    stopped,
    tell: onTold,
  });

  const underway = new Set<Promise<void>>();
  const launch = (posts: readonly Post[], ownPace = pace) => {
    const { atOnce, all } = dispatch(posts, { pace: ownPace, clock, stopped, deliver: courier.deliver });
    underway.add(all);
    all.finally(() => underway.delete(all));
    return atOnce;
  };

  let ending: Promise<void> | undefined;
  const trafficRandom = fork(random);
  const sendCalls = callsOnDemand({ random: fork(random), floor, account, clock, pace, launch });
  const report = () => ({
    seed,
    ...tally.counts(),
    addressCheck: courier.addressCheck(),
    underway: underway.size,
    kinds,
  });
  const server = await listen(settings.port, controlRoutes({ sendCalls, report }), fault);

  if (settings.traffic) {
    const traffic = { random: trafficRandom, account, callsPerMinute, clock, stopped, launch };
    underway.add(runTraffic(traffic, floor));
  }

  return {
    url: server.url,
    seed,
    stop() {
      stopping.abort();
      ending ??= Promise.all([...underway, server.close()]).then(() => undefined);
      return ending;
    },
  };
};

const staffSeed = 1;
const mostCallsPerMinute = 600;
