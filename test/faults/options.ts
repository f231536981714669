import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { argumentsProblem } from '../../sandbox/cli/run-command.ts';
import type { Part } from './part.ts';

/** The seed of the figures in docs/reliability.md. */
export const defaultSeed = 20_261_121;

/** Reads a seed. */
export const seedFrom = (text: string): Result<number, string> =>
  /^\d{1,9}$/.test(text) ? ok(Number(text)) : fail('--seed takes a whole number from 0 to 999999999.');

/** What is to be run. */
export interface FaultInjectionOptions {
  /** Names of parts; all, if none is named. */
  readonly parts: readonly string[];
  readonly size: 'quick' | 'full';
  readonly seed: number;
  /** How the figures are printed. */
  readonly format: 'plain' | 'markdown' | 'json';
}

/** What can be said on the command line. */
export const usageOf = (
  parts: readonly Pick<Part, 'name' | 'what'>[],
): string => `Tries hard to break the guarantees, and prints what it found.

Usage: npm run torture -- [PART...] [flags]        (npm needs the -- before flags)

${parts.map(({ name, what }) => `  ${name.padEnd(12)} ${what}`).join('\n')}

  --quick       seconds for each part, as in npm test; without it the run takes an hour and a half
  --seed N      tries other things; ${defaultSeed} unless told. The same seed tries the same things
  --markdown    prints the figures as they stand in docs/reliability.md
  --json        prints the figures and failures as JSON
  --help        prints this

  npm run torture -- --quick
  npm run torture -- schedules hostile --seed 7

  Progress goes to standard error. It ends with 0 if every guarantee held, with 1 if one did not, with 2 if it was asked
  for what there is not, and with 130 if it was interrupted.`;

const flags = {
  quick: { type: 'boolean', default: false },
  seed: { type: 'string', default: String(defaultSeed) },
  markdown: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const formatOf = ({ markdown, json }: { readonly markdown: boolean; readonly json: boolean }) => {
  if (json) return 'json';
  return markdown ? 'markdown' : 'plain';
};

/** Reads the command line. The problem says what is wrong and what is allowed. */
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

    const stranger = parts.find((part) => !known.includes(part));
    if (stranger !== undefined) return fail(`There is no part “${stranger}”. There is: ${known.join(', ')}.`);
    const seed = seedFrom(values.seed);
    if (!seed.ok) return seed;
    if (values.json && values.markdown) return fail('Either --markdown or --json.');
    const size = values.quick ? 'quick' : 'full';
    return ok({ parts, size, seed: seed.value, format: formatOf(values) });
  } catch (error) {
    return fail(argumentsProblem(error));
  }
};
