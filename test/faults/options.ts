import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { argumentsProblem } from '../../sandbox/cli/run-command.ts';
import type { Part } from './part.ts';

/** The seed of the figures in docs/reliability.md. */
export const defaultSeed = 20_261_121;

/** Reads a seed. */
export const seedFrom = (text: string): Result<number, string> =>
  /^\d{1,9}$/.test(text) ? ok(Number(text)) : fail('--seed takes a whole number from 0 to 999999999.');

/** What to run. */
export interface FaultInjectionOptions {
  /** Names of parts; all parts, if empty. */
  readonly parts: readonly string[];
  readonly size: 'quick' | 'full';
  readonly seed: number;
  /** Whether figures and failures are printed as JSON, otherwise as tables in Markdown. */
  readonly isJson: boolean;
}

/** The help text of the command. */
export const usageOf = (
  parts: readonly Pick<Part, 'name' | 'what'>[],
): string => `Injects faults and unexpected input to break the guarantees, and prints what it found.

Usage: npm run faults -- [PART...] [flags]        (npm needs the -- before flags)

${parts.map(({ name, what }) => `  ${name.padEnd(12)} ${what}`).join('\n')}

  --quick       some seconds for each part, as in npm test; the full run takes about an hour and a quarter
  --seed N      the seed of everything random, ${defaultSeed} by default; the same seed tries the same cases
  --json        prints figures and failures as JSON, otherwise as the tables of docs/reliability.md
  --help        prints this

  npm run faults -- --quick
  npm run faults -- schedules fuzz --seed 7

  Progress goes to standard error. The command ends with 0 if every guarantee held, with 1 if one did not, with 2 for
  wrong arguments, and with 130 if it was interrupted.`;

const flags = {
  quick: { type: 'boolean', default: false },
  seed: { type: 'string', default: String(defaultSeed) },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Reads the command line. A problem says what is wrong and what is allowed. */
export const optionsFrom = (
  args: readonly string[],
  known: readonly string[],
): Result<FaultInjectionOptions | 'help', string> => {
  try {
    const { values, positionals: parts } = parseArgs({
      args: [...args],
      options: flags,
      strict: true,
      allowPositionals: true,
    });
    if (values.help) return ok('help');

    const unknown = parts.find((part) => !known.includes(part));
    if (unknown !== undefined) return fail(`There is no part “${unknown}”. The parts are: ${known.join(', ')}.`);
    const seed = seedFrom(values.seed);
    if (!seed.ok) return seed;
    return ok({ parts, size: values.quick ? 'quick' : 'full', seed: seed.value, isJson: values.json });
  } catch (error) {
    return fail(argumentsProblem(error));
  }
};
