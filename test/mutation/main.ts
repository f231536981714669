import { Stryker } from '@stryker-mutator/core';
import { fail, ok } from '../../lib/core/result.ts';
import { print, printError } from '../../sandbox/cli/terminal.ts';
import { readArguments, runCommand } from '../support/command-parts.ts';

const usage = `Changes lib, and what functions decide, in one place at a time, and runs the tests that reach the place.

Usage: npm run mutation -- [flags]        (npm needs the -- before flags)

  --share S       draws this share of the places at random, such as 0.1 (default: 1, hours on two cores)
  --seed N        draws others (default: 1); the same seed draws the same places
  --mutate GLOB   changes these files alone, such as 'lib/calls/**/*.ts'
  --idle          runs every test that reaches a place, not only until one fails, and lists by file the tests
                  without which the others notice as much. A share says little here: draw none, and few files
  --help          prints this

  The report is .stryker/report.html. It ends with 1 if under 93 % of the changes were noticed.`;

interface Options {
  readonly share: string;
  readonly seed: string;
  readonly mutate?: string | undefined;
  readonly idle: boolean;
}

type Mutants = Awaited<ReturnType<Stryker['runMutationTest']>>;

/** What a test reaches, and what it notices, as places in a list of mutants. */
type Noticed = ReadonlyMap<string, readonly number[]>;

const noticedBy = (mutants: Mutants): Noticed => {
  const noticed = new Map<string, number[]>();
  for (const [place, { coveredBy = [], killedBy = [] }] of mutants.entries()) {
    for (const test of coveredBy) if (!noticed.has(test)) noticed.set(test, []);
    for (const test of killedBy) noticed.set(test, [...(noticed.get(test) ?? []), place]);
  }
  return noticed;
};

/** Tests that can go together: again and again the test that notices most of what is left is kept. */
const idleTests = (noticed: Noticed): readonly string[] => {
  const idle = new Set(noticed.keys());
  const left = new Set([...noticed.values()].flat());
  while (left.size > 0) {
    const counted = [...idle].map((test) => ({ test, places: (noticed.get(test) ?? []).filter((at) => left.has(at)) }));
    const best = counted.reduce((most, one) => (one.places.length > most.places.length ? one : most));
    idle.delete(best.test);
    for (const place of best.places) left.delete(place);
  }
  return [...idle];
};

const printIdle = (mutants: Mutants): void => {
  const noticed = noticedBy(mutants);
  const byFile = Map.groupBy(idleTests(noticed), (test) => test.split('#', 1)[0] ?? test);
  for (const [file, tests] of [...byFile].sort(([, one], [, other]) => other.length - one.length)) {
    print(`${file}: ${tests.length}`);
    for (const test of tests) print(`  ${test.slice(file.length + 1)} (notices ${noticed.get(test)?.length ?? 0})`);
  }
};

const run = async ({ share, seed, mutate, idle }: Options): Promise<number> => {
  // The process in which Stryker draws inherits them.
  Object.assign(process.env, { MUTANT_SHARE: share, MUTANT_SEED: seed });
  printError(`Drawing a share of ${share} of the places, with seed ${seed}.`);
  const mutants = await new Stryker({
    configFile: 'test/mutation/stryker.config.ts',
    disableBail: idle,
    ...(mutate !== undefined && { mutate: [mutate] }),
    // What was found before in this file is of a run that ended at the first failure, or of other places.
    ...((idle || share !== '1') && { incremental: false }),
  }).runMutationTest();
  if (idle) printIdle(mutants);
  return Number(process.exitCode ?? 0);
};

const options = readArguments(
  {
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    mutate: { type: 'string' },
    idle: { type: 'boolean', default: false },
  },
  [],
  (values) =>
    Number(values.share) > 0 && Number(values.share) <= 1
      ? ok<Options>(values)
      : fail(`The share must be above 0 and at most 1, and is “${values.share}”.`),
);
await runCommand({ options, usage, run });
