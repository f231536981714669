import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config';
import { ProjectByProject } from './test/support/sequencers.ts';

type Tests = NonNullable<ViteUserConfig['test']>;

const cdk = 'test/cdk/**/*.test.ts';
/** They start a sandbox, of which a process can have one: it sets the environment, replaces the output, moves the date. */
const sandboxes = ['test/cli/{events/events,operator-tools,verify/verify}.test.ts', 'test/sandbox/sandbox.test.ts'];

/** The files of a function that reach AWS, the network, files and the process. What else it decides is pure, as lib is. */
export const functionEdges = [
  'app',
  'index',
  'http',
  'fetch-recording',
  'public-lookup',
  'recording-bucket',
  'duckdb',
  'sql-files',
];
const edges = functionEdges.join('|');

const temporaryFolder = 'test/support/temporary-folder.ts';
const dynamodbLocal = 'test/support/dynamodb-local.ts';

/** `npm test` */
const quick: Tests = {
  projects: [
    { extends: true, test: { name: 'sandbox', include: sandboxes } },
    // The files of these two share a process: loading modules anew for each takes longer than most of their tests.
    { extends: true, test: { name: 'cdk', include: [cdk], isolate: false } },
    {
      extends: true,
      test: {
        name: 'unit',
        include: ['{bench,test}/**/*.test.ts'],
        exclude: [...configDefaults.exclude, cdk, ...sandboxes],
        isolate: false,
      },
    },
  ],
  globalSetup: [temporaryFolder, dynamodbLocal],
  // One more than there are cores: who waits for a process or an answer leaves its core to the others.
  maxWorkers: availableParallelism() + 1,
  sequence: { shuffle: true, sequencer: ProjectByProject },
  // What a test waits for takes longer on a busy machine than the second that is the default.
  expect: { poll: { timeout: 45_000 } },
  // A property with all its inputs takes a minute where three other suites run.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  coverage: {
    include: ['{lib,functions,client}/**/*.ts'],
    // Comes into the bundles by an alias; a test runs a bundle.
    exclude: ['functions/adapters/sdk-on-lambda.ts'],
    reporter: ['text-summary', 'html'],
    // Not quite 100 % of the branches: array reads need a default that no input reaches.
    thresholds: {
      [`{lib/**,functions/{*,!(adapters)/!(${edges})}.ts}`]: {
        statements: 100,
        functions: 100,
        lines: 100,
        branches: 99,
      },
      // Its default clock and timer run in its users' processes only.
      'client/**': { statements: 99, functions: 95, lines: 99, branches: 95 },
      [`functions/{adapters/*,*/@(${edges})}.ts`]: { statements: 95, functions: 95, lines: 95, branches: 95 },
    },
  },
};

/**
 * `vitest run --mode long`: tests that `npm test` does without, since they take long or need packages from npm and PyPI: the
 * package and the examples as their users install them, nights in which a fault raises its alarm, the monthly bill, a run
 * under load with faults and a kill, slices of the fault injection, the time that posts take, commands that die at each of their
 * calls, the console in a browser, `npm start` as a process, what a bundle loads until its first reply, the tables in memory against
 * Amazon's, and templates and policies against what AWS publishes. CI runs them.
 */
const long: Tests = {
  include: ['{bench,test}/**/*.long.ts'],
  globalSetup: [
    temporaryFolder,
    dynamodbLocal,
    'test/support/packed-package.ts',
    'test/end-to-end/deployed/python-environment.ts',
  ],
  // As above: the commands of the pages alone wait for five minutes.
  maxWorkers: availableParallelism() + 1,
  sequence: { sequencer: ProjectByProject },
  expect: { poll: { timeout: 60_000 } },
  testTimeout: 600_000,
  hookTimeout: 600_000,
};

/** These measure time and memory, so they run alone. */
const measured = ['test/faults/fuzz/{memory,processor-time}.long.ts', 'test/faults/endurance/*.long.ts'];

/** `npm run faults`: the fault injection in full, of which the other runs try a slice. */
const faults: Tests = {
  projects: [
    {
      extends: true,
      test: {
        name: 'side by side',
        include: ['test/faults/*/**/*.{test,long}.ts'],
        exclude: [...measured, 'test/faults/seeded/**'],
        // One more than there are cores, or the last of the three longest files would begin when another has ended.
        maxWorkers: availableParallelism() + 1,
        sequence: { groupOrder: 0 },
      },
    },
    { extends: true, test: { name: 'alone', include: measured, maxWorkers: 1, sequence: { groupOrder: 1 } } },
  ],
  globalSetup: [temporaryFolder, dynamodbLocal],
  maxWorkers: '100%',
  env: { FAULTS: 'full', FC_SHARE: process.env['FC_SHARE'] ?? '1' },
  reporters: ['verbose'],
  testTimeout: 3_600_000,
  hookTimeout: 60_000,
};

/** `vitest run --mode e2e`: deploys the stack to an emulated AWS and uses it. Each test is a step that builds on the ones before. */
const e2e: Tests = {
  include: ['test/end-to-end/deployed/*.e2e.ts'],
  globalSetup: [temporaryFolder],
  reporters: ['verbose'],
  bail: 1,
  testTimeout: 600_000,
  hookTimeout: 60_000,
};

/** What a run of the mutation test writes, which the next one deletes. */
export const mutationFolder = path.join(import.meta.dirname, '.mutation');

/** How the mutation test runs the tests: each again and again, with one change at a time. */
const mutation: Tests = {
  include: [
    'test/{functions,lib,client,cli/console}/**/*.test.ts',
    'test/cli/{erase/{erase-person,erase-spellings},quarantine/redrive-quarantined,renormalise/renormalise-row,replay/replay-pages}.test.ts',
    'test/cli/{shown-commands,day/days,calls/missed-week,calls/call-list}.test.ts',
  ],
  // Without the tests of the adapters to AWS, which are not changed, and one that loads modules again while it runs: each
  // declaration of a schema would count as reached by it.
  exclude: [
    ...configDefaults.exclude,
    'test/functions/adapters/{dynamo-*,aws-clients}.test.ts',
    'test/lib/contract/index.test.ts',
  ],
  globalSetup: [temporaryFolder, dynamodbLocal],
  runner: './test/mutation/each-place.ts',
  // Modules that an earlier run left in the usual cache would have other changes in them.
  fsModuleCachePath: path.join(mutationFolder, 'modules'),
  includeTaskLocation: true,
  dangerouslyIgnoreUnhandledErrors: true,
  maxWorkers: '100%',
  maxConcurrency: 1,
  expect: { poll: { timeout: 2_000 } },
  testTimeout: 60_000,
  env: { FC_SHARE: '0.2' },
};

/** Where the mutation test has a source with every change in it, each behind a switch. */
export const switchedFileOf = (file: string): string =>
  path.join(mutationFolder, 'sources', path.relative(import.meta.dirname, file));

const withSwitches = {
  name: 'with-switches',
  enforce: 'pre' as const,
  load: (id: string) => readFile(switchedFileOf(id), 'utf8').catch(() => undefined),
};

const kinds = new Map<string, Tests>([
  ['long', long],
  ['e2e', e2e],
  ['faults', faults],
  ['mutation', mutation],
]);

export default defineConfig(({ mode }) => ({
  plugins: mode === 'mutation' ? [withSwitches] : [],
  test: kinds.get(mode) ?? quick,
}));
