import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      // Its files share a process: loading CDK takes longer than most of them, and none leaves anything behind.
      { extends: true, test: { name: 'cdk', include: ['test/cdk/**/*.test.ts'], isolate: false } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/cdk/**'],
        },
      },
    ],
    globalSetup: ['test/support/dynamodb-local.ts', 'test/support/packed-package.ts'],
    // The default leaves a core free, which on a machine of two is half of it.
    maxWorkers: '100%',
    sequence: { shuffle: true },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      include: ['lib/**', 'functions/**'],
      // Comes into the bundles by an alias; a test runs a bundle.
      exclude: ['functions/adapters/credentials-from-environment.ts'],
      reporter: ['text-summary', 'html'],
      // Not quite 100 % of the branches: array reads need a default that no input reaches.
      thresholds: {
        'lib/**': { statements: 100, functions: 100, lines: 100, branches: 99 },
        'functions/**': { statements: 95, functions: 95, lines: 95, branches: 95 },
      },
    },
  },
});
