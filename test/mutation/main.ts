import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { fail, ok } from '../../lib/core/result.ts';
import { print, printError } from '../../sandbox/cli/terminal.ts';
import { mutationFolder as folder, functionEdges, switchedFileOf } from '../../vitest.config.ts';
import { readArguments, runCommand } from '../support/command-parts.ts';
import type { Tried } from './each-place.ts';
import { byFile, type Outcome, type Place, quickMs, tryPlaces } from './try-places.ts';

const usage = `Changes lib, and what functions decide, in one place at a time, and runs every test that reaches the place.

Usage: npm run mutation -- [flags]        (npm needs the -- before flags)

  --share S       draws this share of the places at random, such as 0.1 (default: 1)
  --seed N        draws others (default: 1); the same seed draws the same places
  --mutate GLOB   changes these files alone, such as 'lib/calls/**/*.ts'
  --idle          lists by file the tests without which the others notice as much. Draw no small share for it; it asks
                  each test about every place that it reaches, and without it those that no test has noticed yet
  --help          prints this

  A test that takes over ${quickMs} milliseconds is asked only about places that no quick one notices, and is never idle.
  It prints the places that nothing notices, writes .mutation/report.json, and ends with 1 if under 93 % were noticed.`;

interface Options {
  readonly share: string;
  readonly seed: string;
  readonly mutate?: string | undefined;
  readonly idle: boolean;
}

/** Edges whose tests need neither DynamoDB Local nor a bundle. */
const changedEdges = ['http', 'fetch-recording', 'public-lookup'];
const otherEdges = functionEdges.filter((edge) => !changedEdges.includes(edge));

const changed = [
  '{lib,functions,client}/**/*.ts',
  // What changes rows.
  'cli/{erase/{agent-rows,erase-agent,erase-customer,erase-person,search-for-number},quarantine/redrive-quarantined}.ts',
  'cli/{renormalise/{renormalise-row,e164-changes},replay/replay-pages}.ts',
];
const unchanged = [
  'functions/adapters/{aws-clients,dynamo-*,sdk-on-lambda}.ts',
  `functions/*/{${otherEdges.join()}}.ts`,
];

const quiet = { debug: () => {}, info: () => {}, isDebugEnabled: () => false } as never;

/** The share of numbers below 1 that the text's hash falls into. */
const drawn = (share: number, ...text: readonly unknown[]): boolean =>
  createHash('sha256').update(text.join('\n')).digest().readUInt32BE() / 2 ** 32 < share;

/**
 * Writes the files once more with every change in them, each behind a switch, and returns the drawn ones. The instrumenter
 * is Stryker's. Its own runner loads all test files anew for each change, which takes ten times as long as the tests do.
 */
const preparePlaces = async (files: readonly string[], share: number, seed: string): Promise<readonly Place[]> => {
  const texts = files.map(async (file) => ({
    name: file,
    content: await readFile(file, 'utf8'),
    mutate: true as const,
  }));
  const changed = await new Instrumenter(quiet).instrument(await Promise.all(texts), {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  for (const { name, content } of changed.files) {
    await mkdir(path.dirname(switchedFileOf(name)), { recursive: true });
    // With a change switched on nobody asks what is reached.
    const counting = 'function cover() {';
    await writeFile(
      switchedFileOf(name),
      content.replace(counting, `${counting} if (ns.activeMutant !== undefined) return;`),
    );
  }
  return changed.mutants
    .map(({ id, fileName, location: { start }, replacement }) => ({
      id,
      file: path.relative(process.cwd(), fileName),
      replacement,
      // Stryker counts from 0.
      line: start.line + 1,
      column: start.column + 1,
    }))
    .filter(({ id: _, ...place }) => drawn(share, seed, ...Object.values(place)));
};

/** Tests that can go together: again and again the test that notices most of what is left is kept. */
const idleTests = ({ noticed, quick, reached }: Outcome): readonly Tried[] => {
  const idle = new Set(quick.filter(({ test }) => (reached.get(test) ?? []).length > 0));
  const candidates = new Set(quick.map(({ test }) => test));
  const placesOf = ({ test }: Tried) => noticed.get(test) ?? [];
  const left = new Set([...noticed.values()].flat());
  const drop = (places: readonly string[]) => {
    for (const place of places) left.delete(place);
  };
  for (const [test, places] of noticed) if (!candidates.has(test)) drop(places);
  while (left.size > 0) {
    const counts = [...idle].map((one) => ({ one, count: placesOf(one).filter((at) => left.has(at)).length }));
    const { one } = counts.reduce((most, other) => (other.count > most.count ? other : most));
    idle.delete(one);
    drop(placesOf(one));
  }
  return [...idle];
};

const printIdle = (outcome: Outcome): void => {
  const files = byFile(idleTests(outcome)).sort(([, one], [, other]) => other.length - one.length);
  for (const [file, tests] of files) {
    print(`${file}: ${tests.length}`);
    for (const { test, line, name } of tests)
      print(`  ${line}: ${name} (notices ${outcome.noticed.get(test)?.length ?? 0})`);
  }
};

/** Prints what is not noticed, and returns the share that is. What runs only when a module loads is not counted. */
const printUnnoticed = (places: readonly Place[], { reached, loaded, noticed, unsure }: Outcome): number => {
  const inTests = new Set([...reached.values()].flat());
  const found = new Set([...noticed.values()].flat());
  const counted = places.filter(({ id }) => inTests.has(id) || !loaded.has(id));
  for (const { id, file, line, column, replacement } of counted) {
    if (!found.has(id)) print(`${file}:${line}:${column} ${inTests.has(id) ? '' : '(not reached) '}${replacement}`);
  }
  for (const { file, line, name } of unsure) print(`cannot be repeated: ${file}:${line} ${name}`);
  const shareOf = (some: readonly Place[]): number => some.filter(({ id }) => found.has(id)).length / some.length;
  for (const [top, some] of Map.groupBy(counted, ({ file }) => file.split('/')[0])) {
    print(`${top}: ${(100 * shareOf(some)).toFixed(1)} % of ${some.length} are noticed`);
  }
  return shareOf(counted);
};

const run = async ({ share, seed, mutate, idle }: Options): Promise<number> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const files: string[] = [];
  for await (const file of glob(mutate ?? changed, { exclude: unchanged })) files.push(path.resolve(file));
  if (files.length === 0) throw new Error(`No file that is to be changed is named “${mutate}”.`);
  const places = await preparePlaces(files, Number(share), seed);
  printError(`${places.length} places in ${files.length} files: a share of ${share}, with seed ${seed}.`);
  const outcome = await tryPlaces(places, idle);
  const { tests, loaded, reached, noticed } = outcome;
  await writeFile(
    path.join(folder, 'report.json'),
    JSON.stringify({ places, tests, loaded: [...loaded], reached: [...reached], noticed: [...noticed] }),
  );
  const noticedShare = printUnnoticed(places, outcome);
  if (idle) printIdle(outcome);
  return noticedShare >= 0.93 ? 0 : 1;
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
