/** By convention, the exit code is 128 plus the number of the signal that ended the process. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

export interface SignalledProcess {
  readonly on: (signal: keyof typeof exitCodes, listener: () => void) => unknown;
  readonly stderr: { readonly write: (text: string) => unknown };
  readonly exit: (code: number) => unknown;
}

/** Somebody who sees nothing for longer would press Ctrl-C again. */
const silenceMs = 300;

/** A command that is between two requests ends within milliseconds, and on a busy machine within a second. */
const graceMs = 2_000;

/**
 * Aborts at the first SIGINT, SIGTERM or SIGHUP. The second one ends the process at once, and prints the leftovers. A command that
 * has none ends by itself soon after the first: it waits for a part of the deployment that does not answer. One that has some says
 * so, since it still deletes them.
 */
export const interruption =
  (process: SignalledProcess) =>
  (leftovers?: () => readonly string[]): AbortSignal => {
    const stop = new AbortController();
    const left = () => leftovers?.().join(', ') ?? '';
    const say = (line: string) => process.stderr.write(`${line}\n`);
    const end = (signal: keyof typeof exitCodes) => {
      if (left() !== '') say(`Ended at once. These may still exist: ${left()}.`);
      process.exit(exitCodes[signal]);
    };
    for (const signal of signals)
      process.on(signal, () => {
        if (stop.signal.aborted) return end(signal);
        stop.abort();
        const abandon = () => {
          if (left() !== '') return say(`Still deleting: ${left()}.`);
          say('Stopped while a part of the deployment did not answer. What was done is kept.');
          return end(signal);
        };
        setTimeout(() => say('Stopping. A second signal ends the command at once.'), silenceMs).unref();
        setTimeout(abandon, graceMs).unref();
      });
    return stop.signal;
  };

/** By convention, 128 plus the number of SIGPIPE: the reader closed the output before the command was done. */
const brokenPipeExitCode = 141;

export interface OutputProcess {
  readonly stdout: { readonly on: (event: 'error', listener: (error: NodeJS.ErrnoException) => void) => unknown };
  exitCode?: number | string | null | undefined;
  readonly exit: (code: number) => unknown;
}

/** Ends the process when its output is closed; or aborts the signal, if asked for, and sets the exit code for later. */
export const outputClosed = (process: OutputProcess): (() => AbortSignal) => {
  const closed = new AbortController();
  let isAwaited = false;
  process.stdout.on('error', ({ code }) => {
    // Later writes fail again, perhaps with another code.
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
