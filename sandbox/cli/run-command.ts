import type { Result } from '../../lib/core/result.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm passes Ctrl-C on to a process that the terminal has told already: what comes this soon is the same wish. */
const repeatedSignalMilliseconds = 500;

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
      if (stoppingSince !== undefined && Date.now() - stoppingSince > repeatedSignalMilliseconds)
        process.exit(interrupted);
      stoppingSince ??= Date.now();
      resolve('stopped');
    };
    for (const signal of signals) process.on(signal, stop);
    process.stdout.once('error', () => resolve('stopped'));
  });

/** Prints a line of what was asked for. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Says what was wrong, or how far it is, where it does not get into what is printed. */
export const printError = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** A command that measures or tries something: what it was asked, how it may be asked, and what it does. */
export interface Command<Options> {
  readonly options: Result<Options | 'help', string>;
  readonly usage: string;
  /** Resolves with the exit code. */
  run(options: Options): Promise<number>;
  /** The exit code where it could not do it; 1 unless told. */
  readonly failureCode?: number;
}

/** By convention, 128 and the number of SIGINT. */
const interruptedCode = 130;

const exitCodeOf = async <Options>({ options, usage, run }: Command<Options>): Promise<number> => {
  if (!options.ok) {
    printError(`${options.problem}\n\n${usage}`);
    return 2;
  }
  if (options.value === 'help') {
    print(usage);
    return 0;
  }
  const code = await Promise.race([run(options.value), firstSignal()]);
  return code === 'stopped' ? interruptedCode : code;
};

/** Does what was asked for and ends the process: with 2 if there is no such thing, with 130 if it was interrupted. */
export const runCommand = async <Options>(command: Command<Options>): Promise<never> => {
  try {
    process.exit(await exitCodeOf(command));
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    process.exit(command.failureCode ?? 1);
  }
};

/** What `parseArgs` says of wrong arguments, in one sentence: the others are advice that does not apply here. */
export const argumentsProblem = (error: unknown): string => {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
  return `${reason.replace(/\.$/, '')}.`;
};
