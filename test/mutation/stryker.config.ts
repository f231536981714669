import { functionEdges } from '../support/function-edges.ts';

/** Edges whose tests need neither DynamoDB Local nor a bundle. */
const mutatedEdges = ['http', 'fetch-recording'];
const otherEdges = functionEdges.filter((edge) => !mutatedEdges.includes(edge));

// biome-ignore lint/style/noDefaultExport: Stryker asks for it.
export default {
  mutate: [
    '{lib,functions,cli/operate}/**/*.ts',
    '!lib/client/**',
    '!functions/adapters/{aws-clients,dynamo-*,sdk-on-lambda}.ts',
    `!functions/*/{${otherEdges.join()}}.ts`,
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.config.ts' },
  coverageAnalysis: 'perTest',
  // What runs only when a module loads would need every test for each mutant: three hours for a tenth of them.
  ignoreStatic: true,
  ignorePatterns: [
    ...['.callfeed', 'cdk.out', 'coverage', 'dist'],
    ...['/docs/*', '!/docs/contract', '!/docs/contract.md', '!/docs/figures.md'],
  ],
  // It would be rewritten by TypeScript's former API, which the native compiler has not.
  tsconfigFile: 'none',
  tempDirName: '.stryker/tmp',
  incremental: true,
  incrementalFile: '.stryker/incremental.json',
  htmlReporter: { fileName: '.stryker/report.html' },
  jsonReporter: { fileName: '.stryker/report.json' },
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  allowConsoleColors: false,
  concurrency: 2,
  // On a busy machine a mutant that is merely slow must not count as one that was found.
  timeoutFactor: 3,
  thresholds: { high: 95, low: 93, break: 93 },
};
