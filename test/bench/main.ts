import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok } from '../../lib/core/result.ts';
import { print, printError, runCommand } from '../../sandbox/cli/run-command.ts';
import { partList, readArguments, runParts } from '../support/parts.ts';
import { growth } from './growth/part.ts';
import { machine, markdownOf, type Part } from './part.ts';
import { peers } from './peers/part.ts';
import { spread } from './spread/part.ts';
import { start } from './start/part.ts';
import { trace } from './start/trace.ts';
import { work } from './work/part.ts';

const maxRepetitions = 1_000;

/** In the order in which they run. */
const parts: readonly Part[] = [start, trace, work, peers, growth, spread];

const flags = {
  repetitions: { type: 'string', default: '15' },
  json: { type: 'string', default: '.callfeed/bench.json' },
} as const;

const usage = `Measures the functions as they are deployed, and compares them with a minimum and with two other receivers.

Usage: npm run bench -- [PART...] [flags]        (npm needs the -- before flags)

${partList(parts)}

  --repetitions N   measures every time N times, and uses medians; default ${flags.repetitions.default}
  --json FILE       writes all measurements to FILE; default ${flags.json.default}
  --help            prints this

  npm run bench -- start work --repetitions 5

  It prints the tables of docs/performance.md, and progress to standard error. All parts take some half an hour on an idle
  machine. Exit codes: 0 if every limit was met, 1 if one was missed, 2 for wrong arguments, 130 after an interruption.`;

const options = readArguments(
  flags,
  parts.map(({ name }) => name),
  ({ repetitions: text, json }, names) => {
    const repetitions = /^\d{1,4}$/.test(text) ? Number(text) : 0;
    if (repetitions < 1 || repetitions > maxRepetitions)
      return fail(`--repetitions takes a whole number from 1 to ${maxRepetitions}.`);
    return json === '' ? fail('--json takes the name of a file.') : ok({ names, repetitions, json });
  },
);
await runCommand({
  ...{ options, usage },
  run({ names, repetitions, json }) {
    // Written first, so that a file that cannot be written fails before half an hour of work.
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
