/** By convention, 128 and the number of SIGINT. */
const interrupted = 130;

/** Aborts at the first Ctrl-C, or request to end; the second one ends the process at once. */
export const interruption = (): AbortSignal => {
  const stop = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(interrupted);
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  return stop.signal;
};
