import { ok } from '../../lib/core/result.ts';
import { print } from '../../sandbox/cli/terminal.ts';
import { partList, readArguments, runCommand, runParts } from '../support/command-parts.ts';
import { defaultSeed, markdownOf, parts, seedFlag, seedFrom } from './parts.ts';

const usage = `Injects faults and unexpected input to break the guarantees, and prints what it found.

Usage: npm run faults -- [PART...] [flags]        (npm needs the -- before flags)

${partList(parts)}

  --quick       some seconds for each part, as in npm run test:long; the full run takes about an hour and a quarter
  --seed N      the seed of everything random, ${defaultSeed} by default; the same seed tries the same cases
  --json        prints figures and failures as JSON, otherwise as tables; docs/reliability.md has the sum
  --help        prints this

  npm run faults -- --quick
  npm run faults -- schedules fuzz --seed 7

  Progress goes to standard error. The command ends with 0 if every guarantee held, with 1 if one did not, with 2 for
  wrong arguments, and with 130 if it was interrupted.`;

const flags = {
  quick: { type: 'boolean', default: false },
  seed: seedFlag,
  json: { type: 'boolean', default: false },
} as const;

const options = readArguments(
  flags,
  parts.map(({ name }) => name),
  ({ quick, seed: seedText, json }, names) => {
    const seed = seedFrom(seedText);
    return seed.ok ? ok({ names, json, seed: seed.value, size: quick ? ('quick' as const) : ('full' as const) }) : seed;
  },
);
await runCommand({
  ...{ options, usage },
  run: ({ names, json, seed, size }) =>
    runParts(parts, names, { seed, size }, (ran) =>
      print(json ? JSON.stringify({ seed, size, ran }, undefined, 2) : markdownOf(ran)),
    ),
});
