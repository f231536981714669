import type { Clock } from '../clock.ts';
import type { Post } from '../posts/post.ts';
import type { SimulatorSettings } from '../settings.ts';
import { createTally } from './counts.ts';
import { createCourier } from './courier.ts';
import { dispatch } from './dispatch.ts';
import type { Answer } from './send.ts';

/** Everything on its way to the receiver. */
export interface Outbox {
  /** Sends the posts of a call, each at its time; resolves with the answers to those that were due at once. */
  readonly launch: (posts: readonly Post[], pace?: number) => Promise<readonly Answer[]>;
  /** What was sent so far, and for how many calls there is more to come. */
  readonly report: () => object;
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>;
}

/** Nothing sent yet. */
export const createOutbox = (settings: SimulatorSettings, clock: Clock, stopped: AbortSignal): Outbox => {
  const { callbackUrl, pace: usualPace = 1, onTold: tell = () => undefined } = settings;
  const { tries = 3, retrySeconds = 1, timeoutSeconds = 10 } = settings;
  const tally = createTally();
  const courier = createCourier({ callbackUrl, tries, retrySeconds, timeoutSeconds, clock, tally, stopped, tell });
  const underway = new Set<Promise<void>>();

  return {
    launch(posts, pace = usualPace) {
      const { atOnce, all } = dispatch(posts, { pace, clock, stopped, deliver: courier.deliver });
      underway.add(all);
      all.finally(() => underway.delete(all));
      return atOnce;
    },
    report: () => ({ ...tally.counts(), addressCheck: courier.addressCheck(), underway: underway.size }),
    async settled() {
      await Promise.all(underway);
    },
  };
};
