import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok } from '../lib/core/result.ts';
import { print, printError } from '../sandbox/cli/terminal.ts';
import { readArguments, runCommand } from '../test/support/command-parts.ts';
import { fullPosts } from './full-posts/part.ts';
import { type BenchOptions, machine, markdownOf, type Part, type Run } from './part.ts';
import { peers } from './peers/part.ts';
import { warmPolls } from './polls/part.ts';
import { largePosts } from './posts/part.ts';
import { python } from './python/part.ts';
import { recordings } from './recordings/part.ts';
import { start } from './start/part.ts';

const maxRepetitions = 1_000;

/** What a function of Lambda may have. Above some 1,769 MB it has more than one processor, of which a function of ours uses one. */
const leastMemory = 128;
const mostMemory = 10_240;

/** In the order in which they run. */
const parts: readonly Part[] = [start, warmPolls, peers, largePosts, fullPosts, recordings, python];

const flags = {
  repetitions: { type: 'string', default: '31' },
  memory: { type: 'string', default: '' },
  json: { type: 'string', default: '.callfeed/bench.json' },
} as const;

const usage = `Measures the functions as they are deployed, and compares them with a minimum and with two other receivers.

Usage: npm run bench -- [PART...] [flags]        (npm needs the -- before flags)

${parts.map(({ name, what }) => `  ${name.padEnd(12)} ${what}`).join('\n')}

  --repetitions N   measures every time N times, and uses medians; default ${flags.repetitions.default}
  --memory MB,…     the memory of the functions, which decides their share of a processor: several, separated by
                    commas, are measured in turn; default is what the stack deploys
  --json FILE       writes all measurements to FILE; default ${flags.json.default}
  --help            prints this

  npm run bench -- start --repetitions 5 --memory 512,1024,1769

  It prints the figures of docs/performance.md, and progress to standard error. All parts take ten minutes on an idle
  machine. Exit codes: 0 if every limit was met, 1 if one was missed, 2 for wrong arguments, 130 after an interruption.`;

interface Options extends BenchOptions {
  readonly names: readonly string[];
  readonly json: string;
}

const options = readArguments(
  flags,
  parts.map(({ name }) => name),
  ({ repetitions: text, memory: megabytes, json }, names) => {
    const repetitions = Number(text);
    if (!Number.isInteger(repetitions) || repetitions < 1 || repetitions > maxRepetitions)
      return fail(`--repetitions takes a whole number from 1 to ${maxRepetitions}.`);
    const memory = megabytes === '' ? [] : megabytes.split(',').map(Number);
    if (!memory.every((each) => Number.isInteger(each) && each >= leastMemory && each <= mostMemory))
      return fail(`--memory takes whole numbers of MB from ${leastMemory} to ${mostMemory}, separated by commas.`);
    if (json === '') return fail('--json takes the name of a file.');
    return ok<Options>({ names, repetitions, json, ...(memory.length > 0 && { memory }) });
  },
);

/** Runs the parts with these names, or all, and adds what each of them found. */
const runParts = async ({ names, json: _json, ...options }: Options, ran: Run['ran'][number][]): Promise<void> => {
  for (const { name, what, run } of parts.filter((part) => names.length === 0 || names.includes(part.name))) {
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1_000;
    const onProgress = (line: string) => printError(`${seconds().toFixed(1).padStart(7)} s  ${name}: ${line}`);
    const report = await run({ ...options, onProgress });
    for (const failure of report.failures) printError(`${name} failed: ${failure}`);
    ran.push({ name, what, seconds: seconds(), report });
  }
};

await runCommand({
  options,
  usage,
  async run(given) {
    const { json, repetitions } = given;
    // Written first, so that a file that cannot be written fails before minutes of work.
    mkdirSync(dirname(json), { recursive: true });
    writeFileSync(json, '');
    const all = { machine: machine(), repetitions, ran: [] as Run['ran'][number][] };
    try {
      await runParts(given, all.ran);
    } finally {
      // Also if a later part cannot run: the parts before it may have taken an hour.
      if (all.ran.length > 0) {
        writeFileSync(json, JSON.stringify(all, undefined, 2));
        print(markdownOf(all));
        printError(`All measurements are in ${json}`);
      }
    }
    return all.ran.some(({ report }) => report.failures.length > 0) ? 1 : 0;
  },
});
