import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { firstSignal } from '../../sandbox/cli/first-signal.ts';
import { defaultSeed } from '../options.ts';
import { plantedFaults } from './planted-faults.ts';
import { tryFault, type Verdict } from './try-fault.ts';

const usage = `Plants one fault after the other in a copy of the project, and sees whether the check that has to find it does.

Usage: npm run planted -- [NAME...] [flags]        (npm needs the -- before flags)

${plantedFaults.map(({ name, check, what }) => `  ${name.padEnd(28)} ${check.padEnd(10)} ${what}`).join('\n')}

  --seed N      of the checks; ${defaultSeed} unless told
  --markdown    prints the table as it stands in docs/reliability.md
  --help        prints this

  It ends with 0 if every fault was found, with 1 if one was not, with 2 if it was asked for what there is not,
  and with 130 if it was interrupted.`;

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const complain = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const mostShown = 140;

interface Tried extends Verdict {
  readonly name: string;
  readonly what: string;
  readonly check: string;
}

/** As much as tells which guarantee was seen broken; the whole of it has rows in it. */
const shown = (said: string): string => (said.length <= mostShown ? said : `${said.slice(0, mostShown)} …`);

const rowOf = ({ what, check, isCaught, said }: Tried): string[] => [
  what,
  check,
  isCaught ? shown(said) : `NOT FOUND: ${said}`,
];

const head = ['planted fault', 'found by', 'what was said'];

const plain = (tried: readonly Tried[]): string => {
  const table = new Table({ head, colWidths: [46, 12, 60], wordWrap: true, style: { head: [], border: [] } });
  table.push(...tried.map(rowOf));
  return table.toString();
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const markdown = (tried: readonly Tried[]): string =>
  [head, head.map(() => '---'), ...tried.map(rowOf)].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** Resolves with the exit code. */
const run = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: String(defaultSeed) },
      markdown: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(usage);
    return 0;
  }
  const stranger = positionals.find((asked) => plantedFaults.every(({ name }) => name !== asked));
  if (stranger !== undefined) {
    complain(`There is no planted fault “${stranger}”.\n\n${usage}`);
    return 2;
  }
  const project = fileURLToPath(new URL('../..', import.meta.url));
  const tried: Tried[] = [];
  for (const fault of plantedFaults.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    complain(`planting ${fault.name}`);
    const verdict = await tryFault(project, fault, Number(values.seed));
    complain(`  ${verdict.isCaught ? 'found' : 'NOT FOUND'}: ${verdict.said}`);
    tried.push({ ...fault, ...verdict });
  }
  print((values.markdown ? markdown : plain)(tried));
  return tried.every(({ isCaught }) => isCaught) ? 0 : 1;
};

try {
  const ended = await Promise.race([run(), firstSignal()]);
  process.exit(ended === 'stopped' ? 130 : ended);
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exit(2);
}
