import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '../../lib/result.ts';
import { argumentsProblem } from '../../sandbox/cli/arguments-problem.ts';

/** What can be said on the command line. */
export const usage = `Usage: npm run costs -- [flags]        (npm needs the -- before flags)

  --markdown   prints the tables as they stand in docs/cost.md
  --json       prints everything that was counted and priced
  --help       prints this

  Runs the functions on DynamoDB Local, counts what AWS would charge for, and prices it by the lists in
  bench/costs/prices.ts, for the volumes in bench/costs/scenario.ts.`;

/** What to print. */
export type Format = 'plain' | 'markdown' | 'json' | 'help';

const flags = {
  markdown: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Reads the flags. The problem says what is wrong and what is allowed. */
export const formatFrom = (args: readonly string[]): Result<Format, string> => {
  try {
    const { help, markdown, json } = parseArgs({ args: [...args], options: flags, strict: true }).values;
    if (help) return ok('help');
    if (markdown && json) return fail(`Either --markdown or --json.\n\n${usage}`);
    if (markdown) return ok('markdown');
    return ok(json ? 'json' : 'plain');
  } catch (error) {
    return fail(`${argumentsProblem(error)}\n\n${usage}`);
  }
};
