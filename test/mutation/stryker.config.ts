import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant } from '@stryker-mutator/api/core';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { functionEdges } from '../../vitest.config.ts';

/** Edges whose tests need neither DynamoDB Local nor a bundle. */
const mutatedEdges = ['http', 'fetch-recording'];
const otherEdges = functionEdges.filter((edge) => !mutatedEdges.includes(edge));

const { MUTANT_SHARE: share = '1', MUTANT_SEED: seed = '1' } = process.env;

const isDrawn = ({ fileName, location, replacement }: Mutant): boolean => {
  const place = [seed, relative(process.cwd(), fileName), JSON.stringify(location), replacement];
  return createHash('sha256').update(place.join('\n')).digest().readUInt32BE() / 2 ** 32 < Number(share);
};

const checked = (mutant: Mutant): CheckResult =>
  isDrawn(mutant) ? { status: CheckStatus.Passed } : { status: CheckStatus.CompileError, reason: 'not drawn' };

/** Stryker can leave out files and lines, but draws nothing. What a checker refuses is not run, and not counted. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Checker, 'drawn', {
    init: async () => {},
    check: async (mutants: Mutant[]) => Object.fromEntries(mutants.map((mutant) => [mutant.id, checked(mutant)])),
    group: async (mutants: Mutant[]) => [mutants.map(({ id }) => id)],
  }),
];

// biome-ignore lint/style/noDefaultExport: Stryker asks for it.
export default {
  mutate: [
    '{lib,functions,cli/operate}/**/*.ts',
    '!lib/client/**',
    '!functions/adapters/{aws-clients,dynamo-*,sdk-on-lambda}.ts',
    `!functions/*/{${otherEdges.join()}}.ts`,
  ],
  plugins: ['@stryker-mutator/vitest-runner', './test/mutation/stryker.config.ts'],
  checkers: ['drawn'],
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
  dryRunTimeoutMinutes: 30,
  thresholds: { high: 95, low: 93, break: 93 },
};
