import { defineConfig } from 'vitest/config';

/** How the examples in Python and for the AWS CLI are run: with packages from PyPI, which `npm test` does without. */
export default defineConfig({
  test: {
    include: ['test/docs/examples/**/*.examples.ts'],
    globalSetup: ['test/docs/examples/support/python-packages.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
