import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { argumentsProblem, print, printError, runCommand } from '../../sandbox/cli/run-command.ts';
import { calls } from './calls.ts';
import { growth } from './growth/part.ts';
import { formatters, machine, type Part, type PartRun, type Run } from './part.ts';
import { peers } from './peers/part.ts';
import { spread } from './spread/part.ts';
import { start } from './start/part.ts';
import { work } from './work/part.ts';

const defaultRepetitions = 15;
const maxRepetitions = 1_000;

interface BenchOptions {
  /** Names of parts; none means all. */
  readonly parts: readonly string[];
  readonly repetitions: number;
  readonly markdown: boolean;
  /** The file for all measurements, as JSON. */
  readonly json: string;
}

const usageFor = (
  parts: readonly Pick<Part, 'name' | 'what'>[],
): string => `Measures the functions as they are deployed, and compares them with a minimum and with two other receivers.

Usage: npm run bench -- [PART...] [flags]        (npm needs the -- before flags)

${parts.map(({ name, what }) => `  ${name.padEnd(12)} ${what}`).join('\n')}

  --repetitions N   measures every time N times, and uses medians; default ${defaultRepetitions}
  --json FILE       writes all measurements to FILE; default .callfeed/bench.json
  --markdown        prints the tables of docs/performance.md
  --help            prints this

  npm run bench -- start work --repetitions 5

  Progress goes to standard error. All parts take some half an hour on an idle machine. Exit codes: 0 if every limit was
  met, 1 if one was missed, 2 for wrong arguments, 130 after an interruption.`;

const flags = {
  repetitions: { type: 'string', default: String(defaultRepetitions) },
  json: { type: 'string', default: '.callfeed/bench.json' },
  markdown: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const repetitionsFrom = (text: string): Result<number, string> => {
  const repetitions = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return repetitions >= 1 && repetitions <= maxRepetitions
    ? ok(repetitions)
    : fail(`--repetitions takes a whole number from 1 to ${maxRepetitions}.`);
};

/** Reads the command line. The problem says what is wrong and what is allowed. */
const optionsFrom = (args: readonly string[], known: readonly string[]): Result<BenchOptions | 'help', string> => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: flags,
      strict: true,
      allowPositionals: true,
    });
    if (values.help) return ok('help');

    const unknown = positionals.find((part) => !known.includes(part));
    if (unknown !== undefined) return fail(`Unknown part “${unknown}”. Known parts: ${known.join(', ')}.`);
    const repetitions = repetitionsFrom(values.repetitions);
    if (!repetitions.ok) return repetitions;
    if (values.json === '') return fail('--json takes the name of a file.');
    return ok({ parts: positionals, repetitions: repetitions.value, markdown: values.markdown, json: values.json });
  } catch (error) {
    return fail(argumentsProblem(error));
  }
};

/** Every part, in the order in which they run. */
const parts: readonly Part[] = [start, work, peers, calls, growth, spread];

const runAll = async ({ parts: names, repetitions, json, markdown }: BenchOptions): Promise<number> => {
  // Written first, so that a file that cannot be written fails before half an hour of work.
  mkdirSync(dirname(json), { recursive: true });
  writeFileSync(json, '');
  const ran: PartRun[] = [];
  try {
    for (const { name, run } of parts.filter((part) => names.length === 0 || names.includes(part.name))) {
      const startedAt = performance.now();
      const seconds = () => (performance.now() - startedAt) / 1_000;
      const onProgress = (line: string) => printError(`${seconds().toFixed(1).padStart(7)} s  ${name}: ${line}`);
      ran.push({ name, report: await run({ repetitions, onProgress }), seconds: seconds() });
    }
  } finally {
    // If a part throws, the results of the parts before it are still printed.
    const all: Run = { machine: machine(), repetitions, ran };
    writeFileSync(json, formatters.json(all));
    if (ran.length > 0) print(markdown ? formatters.markdown(all) : formatters.plain(all));
  }
  printError(`All measurements are in ${json}`);
  return ran.some(({ report }) => report.failures.length > 0) ? 1 : 0;
};

const options = optionsFrom(
  process.argv.slice(2),
  parts.map(({ name }) => name),
);
await runCommand({ options, usage: usageFor(parts), run: runAll });
