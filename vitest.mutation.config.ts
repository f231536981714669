import { configDefaults, defineConfig } from 'vitest/config';
import { NearestFirst } from './test/mutation/nearest-first.ts';

/** How the mutation test runs the tests: hundreds of times, each until one fails. */
export default defineConfig({
  test: {
    include: ['test/{functions,lib,cli/operate}/**/*.test.ts'],
    // Without those that need DynamoDB Local or a bundle, those of the AWS clients, and one that loads modules again while it
    // runs: each declaration of a schema would count as reached by it.
    exclude: [
      ...configDefaults.exclude,
      'test/functions/adapters/{dynamo-*,deadlines,aws-clients}.test.ts',
      'test/functions/archive-recordings/recording-bucket.test.ts',
      'test/functions/reconcile-calls/lost-callbacks.test.ts',
      'test/functions/transform-events/app.test.ts',
      'test/lib/client/{agents,calls,floor,large-tables,recordings,watch-floor}.test.ts',
      'test/lib/contract/index.test.ts',
    ],
    // What the tests load is loaded once a run; every run has a thread of its own.
    isolate: false,
    runner: './test/mutation/until-first-failure.ts',
    sequence: { sequencer: NearestFirst },
    reporters: [],
    testTimeout: 60_000,
    env: { FC_SHARE: '0.2' },
  },
});
