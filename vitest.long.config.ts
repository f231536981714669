import { defineConfig } from 'vitest/config';

/**
 * Tests that `npm test` does without, since they take long or need packages from npm and PyPI: the package and the
 * examples as their users install them, nights in which a fault raises its alarm, a week with and without callbacks, the
 * monthly bill, a run under load with faults and a kill, slices of the fault injection, commands that die at each of their
 * calls, the console in a browser, `npm start` as a process, and templates and policies against what AWS publishes. CI runs
 * them.
 */
export default defineConfig({
  test: {
    include: ['{bench,test}/**/*.long.ts'],
    globalSetup: [
      'test/support/temporary-folder.ts',
      'test/support/dynamodb-local.ts',
      'test/support/packed-package.ts',
      'test/docs/examples/support/python-packages.ts',
    ],
    maxWorkers: '100%',
    // What a test waits for takes longer on a busy machine than the second that is the default.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
