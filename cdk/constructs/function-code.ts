import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, type NodejsFunctionProps, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { FunctionName } from '../../functions/timeouts.ts';

/** The repository, in which esbuild runs and from which its arguments name files. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The file in which a function is deployed. */
export const bundleFile = 'index.js';

/**
 * One small file with the SDK inside, so that what is tested is what runs. A CommonJS module: an ES module that imports
 * `node:http` reads all that it exports, and with one of its names Node loads a client of the whole web, which was a third
 * of a cold start. No source map: Node would have to load it at every start to use it.
 */
export const bundling: BundlingOptions = {
  format: OutputFormat.CJS,
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  logLevel: LogLevel.WARNING,
  externalModules: [],
  esbuildArgs: {
    // The SDK imports `node:http` at its first request: that becomes a `require` too.
    '--supported:dynamic-import': 'false',
    '--alias': ['@aws-sdk/credential-provider-node=./functions/adapters/credentials-from-environment.ts'],
  },
};

/** Of the built package, which is JavaScript and has its bundles with it: esbuild and sources stay behind. */
const isBuilt = import.meta.url.endsWith('.js');

/** The folder of a function's bundle in the built package, from the package's own root. */
export const bundleFolder = (name: FunctionName): string => join('bundles', name);

/** What is deployed of a function: in a checkout its sources are bundled, the built package brings the same bytes along. */
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
