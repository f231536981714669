/** By convention, an exit code is 128 and the number of the signal that ended a process. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** The part of a process that is asked to end. */
export interface SignalledProcess {
  readonly on: (signal: keyof typeof exitCodes, listener: () => void) => unknown;
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
        process.exit(exitCodes[signal]);
      });
    return stop.signal;
  };

/** By convention, 128 and the number of SIGPIPE: whoever read the output has seen enough, and not all of it was done. */
const brokenPipeExitCode = 141;

/** The part of a process that ends with its output. */
export interface OutputProcess {
  readonly stdout: { readonly on: (event: 'error', listener: (error: NodeJS.ErrnoException) => void) => unknown };
  exitCode?: number | string | null | undefined;
  readonly exit: (code: number) => unknown;
}

/**
 * Ends a process at once when its output can be written no more; once a command has asked for the signal, only that is
 * aborted, and the process has its exit code for when the command has put away what it made.
 */
export const outputClosed = (process: OutputProcess): (() => AbortSignal) => {
  const closed = new AbortController();
  let isAwaited = false;
  process.stdout.on('error', ({ code }) => {
    // Whatever is still written fails again, perhaps otherwise.
    if (closed.signal.aborted) return;
    const exitCode = code === 'EPIPE' ? brokenPipeExitCode : 1;
    if (!isAwaited) process.exit(exitCode);
    process.exitCode = exitCode;
    closed.abort();
  });
  return () => {
    isAwaited = true;
    return closed.signal;
  };
};
