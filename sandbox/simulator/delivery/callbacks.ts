import type { Post } from '../posts/post.ts';
import { randomOf } from '../random.ts';
import type { Callbacks, CallReport } from '../report/call-report.ts';
import type { CallbackFault } from '../settings.ts';
import type { SimulatedCall } from '../simulated-call.ts';
import type { Outbox } from './outbox.ts';
import type { DeliveryOutcome } from './send.ts';

/** Which callbacks of a call are sent. The same id always draws the same, so a seed repeats its losses. */
export const drawCallbacks = (callId: string, { lost, poorer }: CallbackFault): Callbacks => {
  const random = randomOf(callId, 3);
  if (random() < lost) return 'none';
  return random() < poorer ? 'poorer' : 'all';
};

/** Settings for launching calls. */
export interface LaunchSettings {
  readonly report: Pick<CallReport, 'add'>;
  readonly fault: () => CallbackFault;
  readonly outbox: Pick<Outbox, 'launch'>;
}

/** The posts of a call on their way. */
export interface Launched {
  readonly posts: readonly Post[];
  /** Outcomes of the posts that were due at once. */
  readonly atOnce: Promise<readonly DeliveryOutcome[]>;
}

/** Puts calls into the report, whatever is posted of them, and sends the posts. `callbacks` overrides the fault. */
export const launcher =
  ({ report, fault, outbox }: LaunchSettings) =>
  (simulated: SimulatedCall, pace?: number, callbacks?: Callbacks): Launched => {
    const shares = fault();
    const callbacksOf = (callId: string): Callbacks => callbacks ?? drawCallbacks(callId, shares);
    for (const told of simulated.told) report.add(told, callbacksOf(told.call.id));

    const posts = postsFor(simulated, callbacksOf);
    return { posts, atOnce: outbox.launch(posts, pace) };
  };

/** The posts of a call whose callbacks are lost or poorer. Posts that are no summary share the lot of the first call. */
const postsFor = (
  { calls: [first], told, posts }: SimulatedCall,
  callbacksOf: (callId: string) => Callbacks,
): readonly Post[] => {
  const complete = posts.filter(({ callId = first?.id }) => callId === undefined || callbacksOf(callId) === 'all');
  const poorer = told.filter(({ call }) => callbacksOf(call.id) === 'poorer').map((one) => one.poorer());

  return [...complete, ...poorer].sort((one, later) => one.afterSeconds - later.afterSeconds);
};
