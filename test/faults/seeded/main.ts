import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { fail, ok, type Result } from '../../../lib/core/result.ts';
import { argumentsProblem, print, printError, runCommand } from '../../../sandbox/cli/run-command.ts';
import { defaultSeed, seedFrom } from '../options.ts';
import { type SeededFault, withoutFault } from './seeded-fault.ts';
import { seededFaults } from './seeded-faults.ts';
import { tryFault, type Verdict } from './try-fault.ts';

/** What is to be planted, and how the outcome is printed. */
export interface SeededFaultsOptions {
  readonly faults: readonly SeededFault[];
  readonly seed: number;
  readonly isMarkdown: boolean;
}

/** What can be said on the command line. */
export const usageOf = (
  faults: readonly SeededFault[],
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
  known: readonly SeededFault[],
): Result<SeededFaultsOptions | 'help', string> => {
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

/** A fault that was planted, and what came of it. */
export type CheckedFault = Pick<SeededFault, 'what' | 'check'> & Verdict;

const mostShown = 140;

/** As much as tells which guarantee was seen broken, in one line; the whole of it has rows in it. */
const shown = (said: string): string => {
  const line = said.replace(/\s+/g, ' ');
  return line.length <= mostShown ? line : `${line.slice(0, mostShown)} …`;
};

const rowOf = ({ what, check, isCaught, said }: CheckedFault): string[] => [
  what,
  check,
  `${isCaught ? '' : 'NOT FOUND: '}${shown(said)}`,
];

const head = ['planted fault', 'found by', 'what was said'];

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The table for a terminal. */
export const plain = (tried: readonly CheckedFault[]): string => {
  const table = new Table({ head, colWidths: [46, 12, 60], wordWrap: true, style: { head: [], border: [] } });
  table.push(...tried.map(rowOf));
  return table.toString();
};

/** The table for the documentation. */
export const markdown = (tried: readonly CheckedFault[]): string =>
  [head, head.map(() => '---'), ...tried.map(rowOf)].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** A check that fails without a fault finds nothing by failing with one. Answers whether all of them pass. */
const passesWithout = async (faults: readonly SeededFault[], seed: number): Promise<boolean> => {
  const firsts = new Map(faults.toReversed().map((fault) => [`${fault.check} ${fault.mutated ?? ''}`, fault]));
  for (const fault of firsts.values()) {
    printError(`${fault.check} without a fault`);
    const { isClean, said } = await tryFault(project, withoutFault(fault), seed);
    if (isClean) continue;
    printError(`  it fails by itself: ${said}`);
    return false;
  }
  return true;
};

const tryAllFaults = async ({ faults, seed, isMarkdown }: SeededFaultsOptions): Promise<number> => {
  if (!(await passesWithout(faults, seed))) return 1;
  const tried: CheckedFault[] = [];
  for (const fault of faults) {
    printError(`planting ${fault.name}`);
    const verdict = await tryFault(project, fault, seed);
    printError(`  ${verdict.isCaught ? 'found' : 'NOT FOUND'}: ${verdict.said}`);
    tried.push({ ...fault, ...verdict });
  }
  print((isMarkdown ? markdown : plain)(tried));
  return tried.every(({ isCaught }) => isCaught) ? 0 : 1;
};

const options = optionsFrom(process.argv.slice(2), seededFaults);
await runCommand({ options, usage: usageOf(seededFaults), run: tryAllFaults, failureCode: 2 });
