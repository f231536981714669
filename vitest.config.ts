import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { ProjectByProject } from './test/support/project-by-project.ts';

const cdk = 'test/cdk/**/*.test.ts';
/** They start a sandbox, of which a process can have one: it sets the environment, replaces the output, moves the date. */
const sandboxes = [
  'test/cli/{events,operator-tools}.test.ts',
  'test/end-to-end/docs-commands.test.ts',
  'test/sandbox/sandbox.test.ts',
];

export default defineConfig({
  test: {
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
    globalSetup: ['test/support/temporary-folder.ts', 'test/support/dynamodb-local.ts'],
    // One more than there are cores: who waits for a process or an answer leaves its core to the others.
    maxWorkers: availableParallelism() + 1,
    sequence: { shuffle: true, sequencer: ProjectByProject },
    // What a test waits for takes longer on a busy machine than the second that is the default.
    expect: { poll: { timeout: 45_000 } },
    // A property with all its inputs takes a minute where three other suites run.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    coverage: {
      include: ['lib/**/*.ts', 'functions/**/*.ts'],
      // Comes into the bundles by an alias; a test runs a bundle.
      exclude: ['functions/adapters/sdk-on-lambda.ts'],
      reporter: ['text-summary', 'html'],
      // Not quite 100 % of the branches: array reads need a default that no input reaches.
      thresholds: {
        'lib/{core,storage,telephony,telemetry,accounts,service,calls,agents,callback,recordings,contract,publish}/**':
          {
            statements: 100,
            functions: 100,
            lines: 100,
            branches: 99,
          },
        // Its default clock and timer run in its users' processes only.
        'lib/client/**': { statements: 99, functions: 95, lines: 99, branches: 95 },
        'functions/**': { statements: 95, functions: 95, lines: 95, branches: 95 },
      },
    },
  },
});
