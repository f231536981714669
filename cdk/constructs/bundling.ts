import { fileURLToPath } from 'node:url';
import { type BundlingOptions, LogLevel, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';

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
