import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fitting, testsNear } from './support/near-tests.ts';
import { sourceFiles } from './support/repository-files.ts';

/*
 * `npm run near [-- FILE …]`: the tests that are nearest to what is changed since the last commit, or to these files.
 * Most tests reach a rule of `lib` by some imports, so `vitest run --changed` runs nearly all.
 */

/** What two cores do in well under twenty seconds, their start among them. */
const mostMs = 16_000;

/** So many of the files that are passed over are named. */
const mostNamed = 5;

/** Of a file whose time is not known. */
const usualMs = 1_000;

interface Results {
  readonly projects?: Readonly<
    Record<string, { readonly files: Readonly<Record<string, { readonly duration: number }>> }>
  >;
}

/** How long each file took when it ran last, as vitest notes for its own order. */
const durations = new Map(
  globSync('node_modules/.vite/vitest/*/results.json').flatMap((file) => {
    const { projects = {} } = JSON.parse(readFileSync(file, 'utf8')) as Results;
    return Object.values(projects).flatMap(({ files }) =>
      Object.entries(files).map(([name, { duration }]) => [name, duration] as const),
    );
  }),
);

const listed = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

const given = process.argv.slice(2);
const changed =
  given.length > 0
    ? given
    : [...listed('diff', '--name-only', 'HEAD'), ...listed('ls-files', '--others', '--exclude-standard')];
const folders = ['bench', 'cdk', 'cli', 'client', 'docs', 'functions', 'lib', 'sandbox', 'test'];
const msOf = (file: string): number => durations.get(file) ?? usualMs;
const all = testsNear(changed, sourceFiles(...folders), msOf).filter((file) => existsSync(file));
const near = fitting(all, msOf, mostMs);

if (near.length === 0) {
  process.stdout.write('No test that is quick imports what is changed: run npm test.\n');
  process.exitCode = 1;
} else {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...near];
  const { status } = spawnSync(process.execPath, vitest, { stdio: 'inherit' });
  const leftOut = all.filter((file) => !near.includes(file));
  const named = leftOut.slice(0, mostNamed).join(' ');
  process.stdout.write(
    `These are ${near.length} of the ${all.length} files of tests that reach what is changed. npm test runs all.\n` +
      (leftOut.length === 0 ? '' : `The nearest that would take too long: npx vitest run ${named}\n`),
  );
  process.exitCode = status ?? 1;
}
