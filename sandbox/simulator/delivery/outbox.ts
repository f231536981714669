import type { Post } from '../posts/post.ts';
import { randomOf } from '../random.ts';
import type { Callbacks, CallReport } from '../report/call-report.ts';
import type { CallbackFault } from '../settings.ts';
import type { SimulatedCall } from '../simulated-call.ts';
import { createWebhookSender, type DeliveryOutcome, type WebhookSenderSettings } from './webhook-sender.ts';

/** Settings of an outbox. */
export interface OutboxSettings extends WebhookSenderSettings {
  readonly report: Pick<CallReport, 'add'>;
  readonly fault: () => CallbackFault;
}

/** Puts calls into the report, and sends their posts to the receiver. */
export const createOutbox = (settings: OutboxSettings) => {
  const { report, fault, clock, stopped } = settings;
  const sender = createWebhookSender(settings);
  const inFlight = new Set<Promise<void>>();

  return {
    /**
     * Sends each post of a call at its time; `pace` multiplies the waits between them. The report has the call, whatever is
     * posted. `callbacks` overrides the fault. Resolves `atOnce` with the outcomes of the posts that were due at once.
     */
    launch(simulated: SimulatedCall, pace = 1, callbacks?: Callbacks) {
      const shares = fault();
      const callbacksOf = (callId: string): Callbacks => callbacks ?? drawCallbacks(callId, shares);
      for (const reported of simulated.reported) report.add(reported, callbacksOf(reported.call.id));

      const posts = postsFor(simulated, callbacksOf);
      const { atOnce, all } = dispatch(posts, { pace, clock, stopped, deliver: sender.deliver });
      inFlight.add(all);
      all.finally(() => inFlight.delete(all));
      return { posts, atOnce };
    },
    /** Counts of what was sent so far, and of calls with posts in flight. */
    report: () => ({ ...sender.counts(), inFlight: inFlight.size }),
    /** Resolves when nothing is in flight. */
    async untilIdle() {
      await Promise.all(inFlight);
    },
  };
};

/** Puts calls into the report, and sends their posts to the receiver. */
export type Outbox = ReturnType<typeof createOutbox>;

/** Which callbacks of a call are sent. The same id always draws the same, so a seed repeats its losses. */
const drawCallbacks = (callId: string, { lost, poorer }: CallbackFault): Callbacks => {
  const random = randomOf(callId, 3);
  if (random() < lost) return 'none';
  return random() < poorer ? 'poorer' : 'all';
};

/** The posts that are sent: those of calls with all callbacks, and poorer ones. A post that names no call follows the first. */
const postsFor = (
  { calls: [first], reported, posts }: SimulatedCall,
  callbacksOf: (callId: string) => Callbacks,
): readonly Post[] => {
  const complete = posts.filter(({ callId = first?.id }) => callId === undefined || callbacksOf(callId) === 'all');
  const poorer = reported.filter(({ call }) => callbacksOf(call.id) === 'poorer').map((one) => one.poorer());

  return [...complete, ...poorer].sort((one, later) => one.afterSeconds - later.afterSeconds);
};

interface DispatchSettings extends Pick<OutboxSettings, 'clock' | 'stopped'> {
  readonly pace: number;
  readonly deliver: (post: Post) => Promise<DeliveryOutcome>;
}

/**
 * Sends the posts of a call in their order. Posts of the same second go out together. A later post waits for its time
 * and for the outcome of the earlier ones. Without a pace there are no waits.
 */
const dispatch = (posts: readonly Post[], { pace, clock, stopped, deliver }: DispatchSettings) => {
  const startedAt = clock.now();
  const groups = [...Map.groupBy(posts, ({ afterSeconds }) => afterSeconds)].sort(([one], [later]) => one - later);
  const isDue = ([afterSeconds]: (typeof groups)[number]) => afterSeconds * pace === 0;

  const sendGroups = async (some: typeof groups): Promise<readonly DeliveryOutcome[]> => {
    const answers: DeliveryOutcome[] = [];
    for (const group of some) {
      const [afterSeconds, together] = group;
      if (!isDue(group)) await clock.sleep(startedAt + afterSeconds * pace * 1000 - clock.now(), stopped);
      if (stopped.aborted) break;
      answers.push(...(await Promise.all(together.map(deliver))));
    }
    return answers;
  };

  const atOnce = sendGroups(groups.filter(isDue));
  const all = atOnce.then(() => sendGroups(groups.filter((group) => !isDue(group)))).then(() => undefined);
  return { atOnce, all };
};
