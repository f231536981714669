import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/sandbox-dynamodb.ts'],
    sequence: { shuffle: true },
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
