import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok } from '../lib/core/result.ts';
import { print, printError, runCommand } from '../sandbox/cli/run-command.ts';
import { partList, readArguments, runParts } from '../test/support/parts.ts';
import { analytics } from './analytics/part.ts';
import { consoleUnderLoad } from './console/part.ts';
import { views } from './console/watch-view.ts';
import { growth } from './growth/part.ts';
import { type BenchOptions, machine, markdownOf, type Part } from './part.ts';
import { peers } from './peers/part.ts';
import { spread } from './spread/part.ts';
import { start } from './start/part.ts';
import { trace } from './start/trace.ts';
import { work } from './work/part.ts';

const maxRepetitions = 1_000;
const maxMinutes = 120;

/** In the order in which they run. */
const parts: readonly Part[] = [start, trace, work, peers, growth, spread, analytics, consoleUnderLoad];
const viewNames = views.map(({ name }) => name);

const flags = {
  repetitions: { type: 'string', default: '31' },
  minutes: { type: 'string', default: '1' },
  views: { type: 'string', default: '' },
  json: { type: 'string', default: '.callfeed/bench.json' },
} as const;

const usage = `Measures the functions as they are deployed, and compares them with a minimum and with two other receivers.

Usage: npm run bench -- [PART...] [flags]        (npm needs the -- before flags)

${partList(parts)}

  --repetitions N   measures every time N times, and uses medians; default ${flags.repetitions.default}
  --minutes N       watches each view of the console for N minutes; default ${flags.minutes.default}
  --views NAME,...  watches only these views of the console: ${viewNames.join(', ')}
  --json FILE       writes all measurements to FILE; default ${flags.json.default}
  --help            prints this

  npm run bench -- start work --repetitions 5
  npm run bench -- console --minutes 10 --views floor,calls

  It prints the figures of docs/performance.md, and progress to standard error. All parts take half an hour on an idle
  machine. Exit codes: 0 if every limit was met, 1 if one was missed, 2 for wrong arguments, 130 after an interruption.`;

interface Options extends BenchOptions {
  readonly names: readonly string[];
  readonly json: string;
}

/** A whole number from 1 to `most`. */
const wholeNumber = (text: string, most: number): number | undefined =>
  /^[1-9]\d{0,3}$/.test(text) && Number(text) <= most ? Number(text) : undefined;

const options = readArguments(
  flags,
  parts.map(({ name }) => name),
  ({ repetitions: repeated, minutes: watched, views: chosen, json }, names) => {
    const repetitions = wholeNumber(repeated, maxRepetitions);
    const minutes = wholeNumber(watched, maxMinutes);
    const only = chosen.split(',').filter((name) => name !== '');
    const unknown = only.find((name) => !viewNames.includes(name));
    if (repetitions === undefined) return fail(`--repetitions takes a whole number from 1 to ${maxRepetitions}.`);
    if (minutes === undefined) return fail(`--minutes takes a whole number from 1 to ${maxMinutes}.`);
    if (unknown !== undefined) return fail(`--views has no “${unknown}”. Known are: ${viewNames.join(', ')}.`);
    if (json === '') return fail('--json takes the name of a file.');
    return ok<Options>({ names, repetitions, minutes, views: only, json });
  },
);
await runCommand({
  ...{ options, usage },
  run({ names, json, ...measured }) {
    // Written first, so that a file that cannot be written fails before half an hour of work.
    mkdirSync(dirname(json), { recursive: true });
    writeFileSync(json, '');
    return runParts(parts, names, measured, (ran) => {
      const all = { machine: machine(), repetitions: measured.repetitions, ran };
      writeFileSync(json, JSON.stringify(all, undefined, 2));
      print(markdownOf(all));
      printError(`All measurements are in ${json}`);
    });
  },
});
