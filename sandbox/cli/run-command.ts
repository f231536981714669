import type { Result } from '../../lib/result.ts';
import { firstSignal } from './first-signal.ts';
import { complain, print } from './output.ts';

/** A command that measures or tries something: what it was asked, how it may be asked, and what it does. */
export interface Command<Options> {
  readonly options: Result<Options | 'help', string>;
  readonly usage: string;
  /** Resolves with the exit code. */
  run(options: Options): Promise<number>;
  /** The exit code where it could not do it; 1 unless told. */
  readonly failed?: number;
}

/** By convention, 128 and the number of SIGINT. */
const interrupted = 130;

const ended = async <Options>({ options, usage, run }: Command<Options>): Promise<number> => {
  if (!options.ok) {
    complain(`${options.problem}\n\n${usage}`);
    return 2;
  }
  if (options.value === 'help') {
    print(usage);
    return 0;
  }
  const code = await Promise.race([run(options.value), firstSignal()]);
  return code === 'stopped' ? interrupted : code;
};

/** Does what was asked for and ends the process: with 2 if there is no such thing, with 130 if it was interrupted. */
export const runCommand = async <Options>(command: Command<Options>): Promise<never> => {
  try {
    process.exit(await ended(command));
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    process.exit(command.failed ?? 1);
  }
};
