const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm passes Ctrl-C on to a process that the terminal has told already: what comes this soon is the same wish. */
const sameWishMilliseconds = 500;

/** By convention, 128 and the number of SIGINT. */
const interrupted = 130;

/**
 * Resolves at the first signal to stop, or when nobody reads what is printed any more. A later signal ends the process
 * at once; DynamoDB Local's guard then ends that too.
 */
export const firstSignal = (): Promise<'stopped'> =>
  new Promise((resolve) => {
    let stoppingSince: number | undefined;
    const stop = (): void => {
      if (stoppingSince !== undefined && Date.now() - stoppingSince > sameWishMilliseconds) process.exit(interrupted);
      stoppingSince ??= Date.now();
      resolve('stopped');
    };
    for (const signal of signals) process.on(signal, stop);
    process.stdout.once('error', () => resolve('stopped'));
  });
