const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal and npm both send SIGINT for one Ctrl-C. A second signal this soon counts as the same one. */
const repeatedSignalMilliseconds = 500;

export const interruptedCode = 130;

/**
 * Settles at the first signal, or when nobody reads the output any more. A later signal ends the process at once; the guard of
 * DynamoDB Local then ends DynamoDB Local too.
 */
export const firstSignal = (): Promise<'stopped'> =>
  new Promise((resolve) => {
    let stoppingSince: number | undefined;
    const stop = (): void => {
      if (stoppingSince !== undefined && Date.now() - stoppingSince > repeatedSignalMilliseconds)
        process.exit(interruptedCode);
      stoppingSince ??= Date.now();
      resolve('stopped');
    };
    for (const signal of signals) process.on(signal, stop);
    process.stdout.once('error', () => resolve('stopped'));
  });

export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

export const printError = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
