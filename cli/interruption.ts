/** By convention, an exit code is 128 and the number of the signal that ended a process. */
const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** The part of a process that is asked to end. */
export interface SignalledProcess {
  readonly on: (signal: keyof typeof codes, listener: () => void) => unknown;
  readonly stderr: { readonly write: (text: string) => unknown };
  readonly exit: (code: number) => unknown;
}

/**
 * Aborts at the first Ctrl-C, request to end or hang-up; the second one ends the process at once, and says what of
 * `mayBeLeft` that leaves.
 */
export const interruption =
  (process: SignalledProcess) =>
  (mayBeLeft: () => readonly string[] = () => []): AbortSignal => {
    const stop = new AbortController();
    for (const signal of signals)
      process.on(signal, () => {
        if (!stop.signal.aborted) return stop.abort();
        const left = mayBeLeft();
        if (left.length > 0) process.stderr.write(`Ended at once; this may be left: ${left.join(', ')}.\n`);
        process.exit(codes[signal]);
      });
    return stop.signal;
  };
