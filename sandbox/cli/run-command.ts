import type { Result } from '../../lib/core/result.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal and npm both send SIGINT for one Ctrl-C. A second signal this soon counts as the same one. */
const repeatedSignalMilliseconds = 500;

/** Exit code by convention: 128 plus the number of SIGINT. */
const interruptedCode = 130;

/**
 * Resolves at the first signal to stop, or when standard output is closed. A later signal ends the process at once;
 * the guard of DynamoDB Local then ends DynamoDB Local too.
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

/** Prints a line to standard output. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Prints a line to standard error: a problem, or progress that must not mix with the output. */
export const printError = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** A command with its parsed options and its help text. */
export interface Command<Options> {
  readonly options: Result<Options | 'help', string>;
  readonly usage: string;
  /** Resolves with the exit code. */
  run(options: Options): Promise<number>;
  /** The exit code when `run` rejects. Default: 1. */
  readonly failureCode?: number;
}

const exitCodeOf = async <Options>({ options, usage, run }: Command<Options>): Promise<number> => {
  if (!options.ok) {
    printError(`${options.problem} --help lists the options.`);
    return 2;
  }
  if (options.value === 'help') {
    print(usage);
    return 0;
  }
  const code = await Promise.race([run(options.value), firstSignal()]);
  return code === 'stopped' ? interruptedCode : code;
};

/** Runs the command and ends the process. The exit code is 2 for wrong options and 130 after an interruption. */
export const runCommand = async <Options>(command: Command<Options>): Promise<never> => {
  try {
    process.exit(await exitCodeOf(command));
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    process.exit(command.failureCode ?? 1);
  }
};

/** The first sentence of an error of `parseArgs`. The further ones give advice that does not apply here. */
export const argumentsProblem = (error: unknown): string => {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
  return `${reason.replace(/\.$/, '')}.`;
};
