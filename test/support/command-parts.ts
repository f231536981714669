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

/** One of several things that a command runs, such as a measurement. */
export interface Part<Options, Report> {
  readonly name: string;
  /** In a few words, for the help text and the tables. */
  readonly what: string;
  /** Rejects only if it cannot run (no Java, a port in use). What it found is in the report. */
  readonly run: (options: Options & { readonly onProgress: (line: string) => void }) => Promise<Report>;
}

/** The report of a part that has run, and how long it took. */
export interface PartRun<Report> {
  readonly name: string;
  readonly what: string;
  readonly seconds: number;
  readonly report: Report;
}

/** The lines of a help text that list parts. */
export const partList = (parts: readonly Pick<Part<never, unknown>, 'name' | 'what'>[]): string =>
  parts.map(({ name, what }) => `  ${name.padEnd(12)} ${what}`).join('\n');

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

/**
 * Runs the parts with these names, or all. `onEnd` gets what has run, also if a later part cannot run: the parts before it
 * may have taken an hour. Resolves with the exit code.
 */
export const runParts = async <Options, Report extends { readonly failures: readonly string[] }>(
  parts: readonly Part<Options, Report>[],
  names: readonly string[],
  options: Options,
  onEnd: (ran: readonly PartRun<Report>[]) => void,
): Promise<number> => {
  const ran: PartRun<Report>[] = [];
  try {
    for (const { name, what, run } of parts.filter((part) => names.length === 0 || names.includes(part.name))) {
      const startedAt = performance.now();
      const seconds = () => (performance.now() - startedAt) / 1_000;
      const onProgress = (line: string) => printError(`${seconds().toFixed(1).padStart(7)} s  ${name}: ${line}`);
      const report = await run({ ...options, onProgress });
      for (const failure of report.failures) printError(`${name} failed: ${failure}`);
      ran.push({ name, what, seconds: seconds(), report });
    }
  } finally {
    if (ran.length > 0) onEnd(ran);
  }
  return ran.some(({ report }) => report.failures.length > 0) ? 1 : 0;
};

/** The first sentence of an error of `parseArgs`. The further ones give advice that does not apply here. */
const argumentsProblem = (error: unknown): string => {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
  return `${reason.replace(/\.$/, '')}.`;
};
