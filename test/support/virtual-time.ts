import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** So many turns of the event loop, and so long, in which nothing moves: who could act without a timer has acted. */
const quietTurns = 40;
const quietMs = 3;

/** Longer than any function may run, and than any command waits. */
const longestMs = 3_600_000;

const timer = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;

const idleTimers = new WeakMap<Socket, NodeJS.Timeout>();

/** The time limit of a socket on which nothing comes or goes. Node counts it by a clock of its own, which nobody can move. */
function idleTimeout(this: Socket, milliseconds: number, onTimeout?: () => void): Socket {
  clearTimeout(idleTimers.get(this));
  const moved = () => this.bytesRead + this.bytesWritten;
  const watch = (seen: number): void => {
    const end = () => (moved() === seen ? void this.emit('timeout') : watch(moved()));
    idleTimers.set(this, setTimeout(end, milliseconds));
  };
  if (milliseconds > 0) watch(moved());
  if (onTimeout !== undefined) this[milliseconds > 0 ? 'once' : 'off']('timeout', onTimeout);
  Object.assign(this, { timeout: milliseconds });
  return this;
}

/**
 * Time that passes only while everybody waits for it: the timers of this process, its dates and its time limits. Requests go over
 * real sockets meanwhile, so a service that takes half a minute takes a moment. `isBusy` says whether a double works on an
 * answer, and `moved` grows while anything comes to it or goes from it.
 */
export const virtualTime = (
  now: number,
  { isBusy, moved }: { readonly isBusy: () => boolean; readonly moved: () => number },
) => {
  vi.useFakeTimers({ toFake: ['Date', ...timer], now });
  // A named import of a module of Node sees the replaced function only then.
  syncBuiltinESMExports();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const end = new AbortController();
    setTimeout(() => end.abort(new DOMException('The operation timed out.', 'TimeoutError')), milliseconds);
    return end.signal;
  });
  vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(idleTimeout);
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    syncBuiltinESMExports();
  });

  const becomeQuiet = async (): Promise<void> => {
    let since = performance.now();
    for (let quiet = 0, seen = moved(); quiet < quietTurns || performance.now() < since + quietMs; quiet += 1) {
      await turn();
      if (!isBusy() && moved() === seen) continue;
      quiet = 0;
      since = performance.now();
      seen = moved();
    }
  };

  return {
    /** Waits for work, and lets time pass whenever nothing but time is missing. Answers how long it took, in milliseconds. */
    async during<Done>(work: Promise<Done>): Promise<{ readonly done: Done; readonly tookMs: number }> {
      const from = Date.now();
      let isDone = false;
      const ended = work.finally(() => {
        isDone = true;
      });
      ended.catch(() => undefined);
      while (!isDone) {
        await becomeQuiet();
        if (!isDone && vi.getTimerCount() > 0) vi.advanceTimersToNextTimer();
        if (Date.now() - from > longestMs) throw new Error('Something waits for longer than an hour');
      }
      return { done: await ended, tookMs: Date.now() - from };
    },
    /** Waits until everybody who could act has acted. */
    quiet: becomeQuiet,
    advance: (milliseconds: number): void => void vi.advanceTimersByTime(milliseconds),
  };
};
