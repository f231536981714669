import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inParallel } from '../../lib/core/collections.ts';
import { printError } from '../../sandbox/cli/terminal.ts';
import { mutationFolder as folder } from '../../vitest.config.ts';
import type { Loaded, Task, Tried } from './each-place.ts';

/** A change of one place in a source file. */
export interface Place {
  readonly id: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly replacement: string;
}

/** What the tests do with the places. Places are named by their ids, as are tests. */
export interface Outcome {
  /** Every test as it ran without a change. */
  readonly tests: readonly Tried[];
  /** The tests that were asked about every place they reach, or that none before them had noticed. */
  readonly quick: readonly Tried[];
  /** The places that modules reach while they load. */
  readonly loaded: ReadonlySet<string>;
  readonly reached: ReadonlyMap<string, readonly string[]>;
  readonly noticed: ReadonlyMap<string, readonly string[]>;
  /** Tests that fail when they run twice in one process. */
  readonly unsure: readonly Tried[];
}

/** A test that takes longer, in milliseconds, is asked only about places that no quick one notices. */
export const quickMs = 20;

/** How long a quick test may wait for what a change keeps from coming, in milliseconds. */
const waitMs = 2_000;

/** A process that shows no progress for so long, in milliseconds, is caught in a loop that a change made endless. */
const hangMs = 90_000;

/** The test files that are asked about a place which no quick test notices. */
const nearestFiles = 4;

/** How to see why a process ended. */
const replayed = (name: string): string =>
  `MUTATION_TASK=${path.join(folder, name)}.json npx vitest run --mode mutation shows why.`;

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/**
 * Runs vitest with a task, until it ends or hangs in a test. One that ended before its last test, as its memory was full, was
 * caught in what it tried last.
 */
const vitest = async (name: string, task: Omit<Task, 'results' | 'now'>, ...more: readonly string[]) => {
  const file = path.join(folder, `${name}.json`);
  const results = `${file}l`;
  const now = path.join(folder, `${name}.now`);
  for (const former of [results, now]) await rm(former, { force: true });
  await writeFile(file, JSON.stringify({ ...task, results, now }));
  const child = spawn('node_modules/.bin/vitest', ['run', '--mode', 'mutation', ...more], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, MUTATION_TASK: file },
  });
  const endAll = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
  // One that hangs would outlive an interruption.
  process.once('exit', endAll);
  const ended = new AbortController();
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const hang = async (): Promise<string> => {
    let seen = '';
    let since = Date.now();
    while (Date.now() - since < hangMs) {
      await wait(1000, undefined, ended);
      const text = await textOf(now);
      // Before its first test it starts, which on a busy machine takes as long.
      if (text !== seen || text === '' || task.places === undefined) [seen, since] = [text, Date.now()];
    }
    return seen;
  };
  const hungIn = await Promise.race([exit, hang()]);
  ended.abort();
  process.off('exit', endAll);
  if (hungIn !== undefined) endAll();
  const lines = (await textOf(results)).split('\n').filter((line) => line !== '');
  const ran = lines.map((line): Tried | Loaded => JSON.parse(line));
  const tests = new Set(ran.map((result) => ('test' in result ? result.test : undefined)));
  const [test = '', place = ''] = (await textOf(now)).split(' ');
  const isCaught = hungIn !== undefined || (test !== '' && !tests.has(test));
  return { results: ran, caughtIn: isCaught ? { test, place } : undefined };
};

/**
 * Tries places in the tests of a file. One with which a process hangs is noticed: `hangs` gets it with its test, as it would
 * hang in other files too, and what is left is tried in another process.
 */
const tryInFile = async (
  file: string,
  worthwhile: { readonly places: ReadonlyMap<string, readonly string[]>; readonly onceIsEnough: boolean },
  hangs: Map<string, string>,
): Promise<readonly Tried[]> => {
  let { places } = worthwhile;
  const tried = new Map<string, Tried>();
  for (;;) {
    const left = [...places]
      .filter(([test]) => !tried.has(test))
      .map(([test, all]) => [test, all.filter((id) => !hangs.has(id))]);
    const name = file.replaceAll('/', '-');
    const task = { places: Object.fromEntries(left), onceIsEnough: worthwhile.onceIsEnough };
    const { results, caughtIn } = await vitest(name, task, file, `--testTimeout=${waitMs}`);
    for (const result of results) if ('test' in result) tried.set(result.test, result);
    const failed = left.filter(([test]) => caughtIn === undefined && !tried.has(String(test)));
    if (failed.length > 0) throw new Error(`${file} ended with ${failed.length} tests left. ${replayed(name)}`);
    if (caughtIn === undefined) return [...tried.values()];
    printError(`  ${file} does not get past change ${caughtIn.place}`);
    // Without a change it is caught in what one before it left behind.
    if (caughtIn.place === '') places = new Map([...places].filter(([test]) => test !== caughtIn.test));
    else hangs.set(caughtIn.place, caughtIn.test);
  }
};

/**
 * The test that notices a change which is there before a module loads, of the files next to the place: what a module makes
 * once hides the change from tests that stay loaded.
 */
const tryAfresh = async (
  { id, file }: Place,
  reaching: readonly Tried[],
  sure: readonly Tried[],
): Promise<string | undefined> => {
  const ownTest = path.join('test', path.dirname(file), path.parse(file).name);
  const nearness = (test: string): number =>
    Number(test.startsWith(path.dirname(ownTest))) + Number(test.startsWith(ownTest));
  const nearest = byFile(reaching)
    .toSorted(([one, ofOne], [two, ofTwo]) => nearness(two) - nearness(one) || ofTwo.length - ofOne.length)
    .slice(0, nearestFiles);
  // Only the first of them reaches what is made once, and others see what it is.
  const tests = nearest.flatMap(([name]) => sure.filter((one) => one.file === name).map(({ test }) => test));
  const task = { places: Object.fromEntries(tests.map((test) => [test, []])), always: id };
  const { results, caughtIn } = await vitest(
    `afresh-${id}`,
    task,
    ...nearest.map(([name]) => name),
    '--maxWorkers=1',
    '--bail=1',
  );
  const ran = results.filter((result) => 'test' in result);
  const isMissing = (test: string): boolean => !ran.some((one) => one.test === test);
  return caughtIn?.test ?? ran.find(({ isSure }) => !isSure)?.test ?? tests.find(isMissing);
};

/** Runs `work` for each item, as many at once as there are processors. */
const inTurn = async <Item>(items: readonly Item[], work: (item: Item, left: number) => Promise<void>) => {
  let left = items.length;
  await inParallel(items, availableParallelism(), (item) => {
    left -= 1;
    return work(item, left);
  });
};

export const byFile = (tests: readonly Tried[]) => [...Map.groupBy(tests, ({ file }) => file)];

/** How long a file takes with each change, in milliseconds per change. */
const costOf = ([, tests]: readonly [string, readonly Tried[]], reached: Outcome['reached']): number => {
  const placesOf = ({ test }: Tried) => reached.get(test) ?? [];
  const total = tests.reduce((sum, one) => sum + one.milliseconds * placesOf(one).length, 0);
  return total / Math.max(1, new Set(tests.flatMap(placesOf)).size);
};

/**
 * Runs the tests that reach a place with each change: first the quick ones, then the others with what is left. Without `isEach`, a change that
 * one has noticed is not tried in others, of which the cheap ones come first.
 */
export const tryPlaces = async (places: readonly Place[], isEach: boolean): Promise<Outcome> => {
  const ids = new Set(places.map(({ id }) => id));
  const { results } = await vitest('reached', {});
  const tests = results.filter((result) => 'test' in result);
  if (tests.length === 0) throw new Error(`No test ran. ${replayed('reached')}`);
  const reached = new Map(tests.map(({ test, reached = [] }) => [test, reached.filter((id) => ids.has(id))]));
  const quick = tests.filter(({ isSure, milliseconds }) => isSure && milliseconds <= quickMs);
  const unsure = tests.filter(({ isSure }) => !isSure);
  printError(`${tests.length} tests, ${quick.length} of them quick.`);

  const noticed = new Map<string, readonly string[]>();
  const notice = (test: string, some: readonly string[]) => noticed.set(test, [...(noticed.get(test) ?? []), ...some]);
  const hangs = new Map<string, string>();
  const cheapFirst = byFile(quick).toSorted((one, other) => costOf(one, reached) - costOf(other, reached));
  await inTurn(cheapFirst, async ([file, ofFile], left) => {
    const done = new Set(isEach ? [] : [...noticed.values()].flat());
    const all = ofFile.map(({ test }) => [test, (reached.get(test) ?? []).filter((id) => !done.has(id))] as const);
    const worthwhile = all.filter(([, some]) => some.length > 0);
    if (worthwhile.length === 0) return;
    const tried = await tryInFile(file, { places: new Map(worthwhile), onceIsEnough: !isEach }, hangs);
    for (const one of tried) if (one.isSure) notice(one.test, one.noticed);
    unsure.push(...tried.filter(({ isSure }) => !isSure));
    printError(`${new Date().toISOString()} ${file}, ${left} files left`);
  });
  for (const [place, test] of hangs) notice(test, [place]);

  const sure = tests.filter(({ isSure }) => isSure);
  const reachers = Map.groupBy(
    sure.flatMap((test) => (reached.get(test.test) ?? []).map((id) => ({ id, test }))),
    ({ id }) => id,
  );
  const found = new Set([...noticed.values()].flat());
  const unnoticed = places.filter(({ id }) => !found.has(id) && reachers.has(id));
  await inTurn(unnoticed, async (place, left) => {
    const reaching = reachers.get(place.id)?.map(({ test }) => test) ?? [];
    const by = await tryAfresh(place, reaching, sure);
    if (by !== undefined) notice(by, [place.id]);
    if (left % 20 === 0) printError(`${new Date().toISOString()} ${left} places left`);
  });
  const loaded = new Set(results.flatMap((result) => ('loaded' in result ? result.loaded : [])));
  return { tests, quick, loaded, reached, noticed, unsure };
};
