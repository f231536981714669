/** By convention, 128 and the number of SIGPIPE: whoever read the output has seen enough, and not all of it was done. */
const notReadToTheEnd = 141;

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
    const exitCode = code === 'EPIPE' ? notReadToTheEnd : 1;
    if (!isAwaited) process.exit(exitCode);
    process.exitCode = exitCode;
    closed.abort();
  });
  return () => {
    isAwaited = true;
    return closed.signal;
  };
};
