import type { Post } from '../posts/post.ts';
import type { Clock, SimulatorSettings } from '../settings.ts';
import { createDeliveryCounters, type DeliveryOutcome } from './send.ts';
import { createWebhookSender } from './webhook-sender.ts';

/** What a dispatch needs to know. */
export interface DispatchSettings {
  /** Multiplies the waits between the posts of a call; 0 sends them one after the other without waiting. */
  readonly pace: number;
  readonly clock: Clock;
  readonly stopped: AbortSignal;
  readonly deliver: (post: Post) => Promise<DeliveryOutcome>;
}

/** Posts on their way. */
export interface Dispatched {
  /** What the posts that were due at once were answered. */
  readonly atOnce: Promise<readonly DeliveryOutcome[]>;
  /** Settles after the last post. */
  readonly all: Promise<void>;
}

/**
 * Sends the posts of a call in their order: those of the same second together, those of a later one when their time has
 * come and the earlier ones are settled.
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

/** Everything on its way to the receiver. */
export interface Outbox {
  /** Sends the posts of a call, each at its time; resolves with the answers to those that were due at once. */
  readonly launch: (posts: readonly Post[], pace?: number) => Promise<readonly DeliveryOutcome[]>;
  /** What was sent so far, and for how many calls there is more to come. */
  readonly report: () => object;
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>;
}

/** Nothing sent yet. */
export const createOutbox = (settings: SimulatorSettings, clock: Clock, stopped: AbortSignal): Outbox => {
  const { callbackUrl, pace: usualPace = 1, onLog: tell = () => undefined } = settings;
  const { tries = 3, retrySeconds = 1, timeoutSeconds = 10 } = settings;
  const counters = createDeliveryCounters();
  const sender = createWebhookSender({
    callbackUrl,
    tries,
    retrySeconds,
    timeoutSeconds,
    clock,
    counters: counters,
    stopped,
    log: tell,
  });
  const inFlight = new Set<Promise<void>>();

  return {
    launch(posts, pace = usualPace) {
      const { atOnce, all } = dispatch(posts, { pace, clock, stopped, deliver: sender.deliver });
      inFlight.add(all);
      all.finally(() => inFlight.delete(all));
      return atOnce;
    },
    report: () => ({ ...counters.counts(), addressCheck: sender.addressCheck(), inFlight: inFlight.size }),
    async settled() {
      await Promise.all(inFlight);
    },
  };
};
