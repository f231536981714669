import type { Result } from '../../lib/core/result.ts';
import { firstSignal, interruptedCode, print, printError } from '../../sandbox/cli/terminal.ts';

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
