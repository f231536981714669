import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '../../lib/result.ts';
import { argumentsProblem } from '../../sandbox/cli/arguments-problem.ts';
import { defaultSeed, seedFrom } from '../options.ts';
import type { PlantedFault } from './planted-fault.ts';

/** What is to be planted, and how the outcome is printed. */
export interface PlantedOptions {
  readonly faults: readonly PlantedFault[];
  readonly seed: number;
  readonly isMarkdown: boolean;
}

/** What can be said on the command line. */
export const usageOf = (
  faults: readonly PlantedFault[],
): string => `Plants one fault after the other in a copy of the project, and sees whether the check that has to find it does.

Usage: npm run planted -- [NAME...] [flags]        (npm needs the -- before flags)

${faults.map(({ name, check, what }) => `  ${name.padEnd(28)} ${check.padEnd(10)} ${what}`).join('\n')}

  --seed N      of the checks; ${defaultSeed} unless told
  --markdown    prints the table as it stands in docs/reliability.md
  --help        prints this

  Each check is run without a fault first, and must find nothing. It ends with 0 if every fault was found, with 1 if one
  was not, or a check fails without any, with 2 if it was asked for what there is not, and with 130 if it was interrupted.`;

/** Reads the command line. The problem says what is wrong and what is allowed. */
export const optionsFrom = (
  args: readonly string[],
  known: readonly PlantedFault[],
): Result<PlantedOptions | 'help', string> => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seed: { type: 'string', default: String(defaultSeed) },
        markdown: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return ok('help');
    const stranger = positionals.find((asked) => known.every(({ name }) => name !== asked));
    if (stranger !== undefined) return fail(`There is no planted fault “${stranger}”.`);
    const seed = seedFrom(values.seed);
    if (!seed.ok) return seed;
    const faults = known.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    return ok({ faults, seed: seed.value, isMarkdown: values.markdown });
  } catch (error) {
    return fail(argumentsProblem(error));
  }
};
