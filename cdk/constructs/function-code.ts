import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, type NodejsFunctionProps, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { FunctionName } from '../../functions/timeouts.ts';

/** The root of the repository. esbuild runs here, and its arguments name files relative to it. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The name of a function's bundle. */
export const bundleFile = 'index.js';

/**
 * One small file that includes the SDK, so that the tested code is the deployed code.
 *
 * CommonJS, because an ES module that imports `node:http` reads all its exports. One of them makes Node load a whole HTTP
 * client (undici), which took a third of a cold start. No source map, because Node would load it at every start.
 *
 * Without the SDK's event streams, which no request of ours has: the SDK imports them only when a request needs them, and
 * for the sake of this one late import esbuild would make most of the SDK's modules loadable late, each in a function of
 * its own.
 */
export const bundling: BundlingOptions = {
  format: OutputFormat.CJS,
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  logLevel: LogLevel.WARNING,
  externalModules: ['@smithy/core/event-streams'],
  esbuildArgs: {
    // The SDK imports `node:http` at its first request. This turns that import into a `require` too.
    '--supported:dynamic-import': 'false',
    '--alias': [
      '@aws-sdk/credential-provider-node=./functions/adapters/credentials-from-environment.ts',
      'node:fs/promises=./functions/adapters/no-files.ts',
    ],
  },
};

/** Whether this is the built package. It is JavaScript, has its bundles inside, and needs neither esbuild nor sources. */
const isBuilt = import.meta.url.endsWith('.js');

/** The folder of a function's bundle, relative to the root of the built package. */
export const bundleFolder = (name: FunctionName): string => join('bundles', name);

/** The code of a function. A checkout bundles its sources; the built package has the same bytes inside. */
export const functionCode = (
  name: FunctionName,
): Pick<NodejsFunctionProps, 'code' | 'entry' | 'projectRoot' | 'depsLockFilePath' | 'bundling'> =>
  isBuilt
    ? { code: Code.fromAsset(join(projectRoot, bundleFolder(name))) }
    : {
        entry: join(projectRoot, 'functions', name, 'index.ts'),
        projectRoot,
        depsLockFilePath: join(projectRoot, 'package-lock.json'),
        bundling,
      };
