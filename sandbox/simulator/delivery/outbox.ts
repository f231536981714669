import type { Clock } from '../../clock.ts';
import type { Post } from '../posts/post.ts';
import type { SimulatorSettings } from '../settings.ts';
import { createDeliveryCounters, type DeliveryOutcome } from './send.ts';
import { createWebhookSender } from './webhook-sender.ts';

/** Sends the posts of calls to the receiver, and counts them. */
export interface Outbox {
  /** Sends each post of a call at its time. Resolves with the outcomes of those that were due at once. */
  readonly launch: (posts: readonly Post[], pace?: number) => Promise<readonly DeliveryOutcome[]>;
  /** Counts of what was sent so far, and of calls with posts in flight. */
  readonly report: () => object;
  /** Resolves when nothing is in flight. */
  readonly untilIdle: () => Promise<void>;
}

export const createOutbox = (settings: SimulatorSettings, clock: Clock, stopped: AbortSignal): Outbox => {
  const { callbackUrl, pace: defaultPace = 1, onLog = () => undefined } = settings;
  const { tries = 3, retrySeconds = 1, timeoutSeconds = 10 } = settings;
  const counters = createDeliveryCounters();
  const sender = createWebhookSender({
    callbackUrl,
    tries,
    retrySeconds,
    timeoutSeconds,
    clock,
    counters,
    stopped,
    log: onLog,
  });
  const inFlight = new Set<Promise<void>>();

  return {
    launch(posts, pace = defaultPace) {
      const { atOnce, all } = dispatch(posts, { pace, clock, stopped, deliver: sender.deliver });
      inFlight.add(all);
      all.finally(() => inFlight.delete(all));
      return atOnce;
    },
    report: () => ({ ...counters.counts(), addressCheck: sender.addressCheck(), inFlight: inFlight.size }),
    async untilIdle() {
      await Promise.all(inFlight);
    },
  };
};

/** Settings for sending the posts of a call. */
export interface DispatchSettings {
  /** Multiplies the waits between the posts of a call. 0 sends them one after the other without waits. */
  readonly pace: number;
  readonly clock: Clock;
  readonly stopped: AbortSignal;
  readonly deliver: (post: Post) => Promise<DeliveryOutcome>;
}

/** Posts that are being sent. */
export interface Dispatched {
  /** Outcomes of the posts that were due at once. */
  readonly atOnce: Promise<readonly DeliveryOutcome[]>;
  /** Resolves after the last post. */
  readonly all: Promise<void>;
}

/**
 * Sends the posts of a call in their order. Posts of the same second go out together. A later post waits for its time
 * and for the outcome of the earlier ones.
 */
const dispatch = (posts: readonly Post[], { pace, clock, stopped, deliver }: DispatchSettings): Dispatched => {
  const startedAt = clock.now();
  const groups = [...Map.groupBy(posts, ({ afterSeconds }) => afterSeconds)].sort(([one], [later]) => one - later);
  const isDue = ([afterSeconds]: (typeof groups)[number]) => afterSeconds * pace === 0;

  const sendGroups = async (some: typeof groups): Promise<readonly DeliveryOutcome[]> => {
    const [first, ...others] = some;
    if (first === undefined || stopped.aborted) return [];

    const [afterSeconds, group] = first;
    if (!isDue(first)) await clock.sleep(startedAt + afterSeconds * pace * 1000 - clock.now(), stopped);
    const answers = stopped.aborted ? [] : await Promise.all(group.map(deliver));
    return [...answers, ...(await sendGroups(others))];
  };

  const atOnce = sendGroups(groups.filter(isDue));
  const all = atOnce.then(() => sendGroups(groups.filter((group) => !isDue(group)))).then(() => undefined);
  return { atOnce, all };
};
