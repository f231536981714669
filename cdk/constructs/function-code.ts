import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, type NodejsFunctionProps, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { BuildOptions } from 'esbuild';
import type { FunctionName } from '../../functions/limits.ts';

/** The root of the repository. esbuild runs here, and its arguments name files relative to it. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

export const bundleFile = 'index.js';

/**
 * One small file that includes the SDK, so that the tested code is the deployed code.
 *
 * CommonJS, because an ES module that imports `node:http` reads all its exports. One of them makes Node load a whole HTTP
 * client (undici), which took a third of a cold start. No source map, because Node would load it at every start.
 */
export const bundling = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  logLevel: 'warning',
  // The SDK imports `node:http` at its first request. This turns that import into a `require` too.
  supported: { 'dynamic-import': false },
  // The SDK imports its event streams late, when a request needs them, and no request of ours does. For this one import esbuild
  // would put most modules of the SDK into functions of their own, which takes 4 % of the processor time of a start.
  external: ['@smithy/core/event-streams'],
  alias: { '@aws-sdk/credential-provider-node': './functions/adapters/sdk-on-lambda.ts' },
} as const satisfies BuildOptions;

const entryOf = (name: FunctionName): string => `functions/${name}/index.ts`;

/** The modules that a bundle does not have. Only the client of S3 imports event streams at once. */
export const externalOf = (entry: string): string[] =>
  entry === entryOf('archive-recordings') ? [] : [...bundling.external];

const cdkBundling = (name: FunctionName): BundlingOptions => ({
  format: OutputFormat.CJS,
  target: bundling.target,
  mainFields: [...bundling.mainFields],
  minify: bundling.minify,
  logLevel: LogLevel.WARNING,
  externalModules: externalOf(entryOf(name)),
  esbuildArgs: {
    '--supported:dynamic-import': String(bundling.supported['dynamic-import']),
    '--alias': Object.entries(bundling.alias).map((pair) => pair.join('=')),
  },
});

/** Whether this is the built package. It is JavaScript, has its bundles inside, and needs neither esbuild nor sources. */
const isBuilt = import.meta.url.endsWith('.js');

export const bundleFolder = (name: FunctionName): string => join('bundles', name);

export const functionCode = (
  name: FunctionName,
): Pick<NodejsFunctionProps, 'code' | 'entry' | 'projectRoot' | 'depsLockFilePath' | 'bundling'> =>
  isBuilt
    ? { code: Code.fromAsset(join(projectRoot, bundleFolder(name))) }
    : {
        entry: join(projectRoot, entryOf(name)),
        projectRoot,
        depsLockFilePath: join(projectRoot, 'package-lock.json'),
        bundling: cdkBundling(name),
      };
