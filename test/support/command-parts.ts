import { type ParseArgsConfig, parseArgs } from 'node:util';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { firstSignal, interruptedCode, print, printError } from '../../sandbox/cli/terminal.ts';

/** A command with its parsed options and its help text. */
interface Command<Options> {
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

type Flags = NonNullable<ParseArgsConfig['options']>;
type Values<Of extends Flags> = ReturnType<typeof parseArgs<{ options: Of }>>['values'];

/** Reads the command line: some of the known names, and flags. A problem says what is wrong and what is allowed. */
export const readArguments = <Of extends Flags, Options>(
  flags: Of,
  known: readonly string[],
  optionsOf: (values: Values<Of>, names: readonly string[]) => Result<Options, string>,
): Result<Options | 'help', string> => {
  const options = { ...flags, help: { type: 'boolean', default: false } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: known.length > 0 });
    if ('help' in values && values.help) return ok('help');
    const unknown = positionals.find((name) => !known.includes(name));
    if (unknown !== undefined) return fail(`There is no “${unknown}”. Known are: ${known.join(', ')}.`);
    return optionsOf(values as Values<Of>, positionals);
  } catch (error) {
    return fail(argumentsProblem(error));
  }
};

/** The first sentence of an error of `parseArgs`. The further ones give advice that does not apply here. */
const argumentsProblem = (error: unknown): string => {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
  return `${reason.replace(/\.$/, '')}.`;
};
