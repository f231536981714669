import { defineConfig } from 'vitest/config';

/** Deploys the stack to an emulated AWS and uses it. Each test is a step that builds on the ones before. */
export default defineConfig({
  test: {
    include: ['test/end-to-end/deployed/*.e2e.ts'],
    globalSetup: ['test/support/temporary-folder.ts'],
    reporters: ['verbose'],
    bail: 1,
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
