import type { Closers, SandboxClock } from '../frame/lifecycle.ts';
import type { LoggedIn } from '../simulator/centre.ts';
import { createWebhookSender } from '../simulator/outbox.ts';
import type { Step } from '../simulator/script.ts';
import type { Calendar } from './calendar.ts';
import type { DuePost } from './day-posts.ts';

interface LiveSettings {
  readonly calendar: Calendar;
  /** Everything up to this instant has happened. */
  readonly after: number;
  readonly callbackUrl: string;
  readonly script: (steps: string) => unknown;
  readonly log: (line: string) => void;
  /** Called with the instant of what is about to be posted: what a stop interrupts is not posted again. */
  readonly onPost: (at: number) => void;
  readonly clock: SandboxClock;
}

const lookMs = 1_000;

/** The contact centre goes on as planned: its agents change in the simulated service, and it posts calls to the gateway. */
export const startLive = (settings: LiveSettings, closers: Closers): void => {
  const { calendar, clock, script, log, callbackUrl, onPost } = settings;
  const stopping = new AbortController();
  const stopped = stopping.signal;
  const sender = createWebhookSender({ callbackUrl, clock, log, stopped });
  const sending = new Set<Promise<unknown>>();
  let shown: readonly LoggedIn[] = [];
  let { after } = settings;

  const showAgents = (at: number): void => {
    const next = calendar.loggedIn(at);
    const steps = stepsBetween(shown, next);
    shown = next;
    if (steps.length > 0) script(JSON.stringify(steps));
  };
  const send = ({ at, callId, wire }: DuePost): void => {
    onPost(at);
    const sent = sender.deliver({ ...wire, callId, afterSeconds: 0, kinds: ['demonstration'] });
    sending.add(sent);
    sent.finally(() => sending.delete(sent));
  };
  const run = async (): Promise<void> => {
    while (!stopped.aborted) {
      const now = clock.now();
      showAgents(now);
      for (const post of calendar.postsBetween(after, now)) send(post);
      after = now;
      await clock.sleep(lookMs, stopped);
    }
    await Promise.all(sending);
  };
  const running = run();
  closers.add(() => {
    stopping.abort();
    return running;
  });
};

/** What leads from one picture of the floor to the next. */
export const stepsBetween = (before: readonly LoggedIn[], after: readonly LoggedIn[]): readonly Step[] => {
  const states = new Map(before.map(({ id, state }) => [id, state]));
  const there = new Set(after.map(({ id }) => id));
  return [
    ...before.filter(({ id }) => !there.has(id)).map(({ id }): Step => ({ action: 'log-out', agentId: id })),
    ...after
      .filter(({ id, state }) => states.get(id) !== state)
      .map(
        ({ id, state, name, number, skills }): Step =>
          states.has(id)
            ? { action: 'set-state', agentId: id, state }
            : { action: 'log-in', agentId: id, state, name, phoneNumber: number, skills: [...skills] },
      ),
  ];
};
