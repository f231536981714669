import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok } from '../lib/core/result.ts';
import { print, printError } from '../sandbox/cli/terminal.ts';
import { partList, readArguments, runCommand, runParts } from '../test/support/command-parts.ts';
import { type BenchOptions, machine, markdownOf, type Part } from './part.ts';
import { peers } from './peers/part.ts';
import { start } from './start/part.ts';

const maxRepetitions = 1_000;

/** In the order in which they run. */
const parts: readonly Part[] = [start, peers];

const flags = {
  repetitions: { type: 'string', default: '31' },
  json: { type: 'string', default: '.callfeed/bench.json' },
} as const;

const usage = `Measures the functions as they are deployed, and compares them with a minimum and with two other receivers.

Usage: npm run bench -- [PART...] [flags]        (npm needs the -- before flags)

${partList(parts)}

  --repetitions N   measures every time N times, and uses medians; default ${flags.repetitions.default}
  --json FILE       writes all measurements to FILE; default ${flags.json.default}
  --help            prints this

  npm run bench -- start --repetitions 5

  It prints the figures of docs/performance.md, and progress to standard error. Both parts take five minutes on an idle
  machine. Exit codes: 0 if every limit was met, 1 if one was missed, 2 for wrong arguments, 130 after an interruption.`;

interface Options extends BenchOptions {
  readonly names: readonly string[];
  readonly json: string;
}

const options = readArguments(
  flags,
  parts.map(({ name }) => name),
  ({ repetitions: text, json }, names) => {
    const repetitions = Number(text);
    if (!Number.isInteger(repetitions) || repetitions < 1 || repetitions > maxRepetitions)
      return fail(`--repetitions takes a whole number from 1 to ${maxRepetitions}.`);
    if (json === '') return fail('--json takes the name of a file.');
    return ok<Options>({ names, repetitions, json });
  },
);
await runCommand({
  ...{ options, usage },
  run({ names, json, repetitions }) {
    // Written first, so that a file that cannot be written fails before minutes of work.
    mkdirSync(dirname(json), { recursive: true });
    writeFileSync(json, '');
    return runParts(parts, names, { repetitions }, (ran) => {
      const all = { machine: machine(), repetitions, ran };
      writeFileSync(json, JSON.stringify(all, undefined, 2));
      print(markdownOf(all));
      printError(`All measurements are in ${json}`);
    });
  },
});
