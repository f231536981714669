import { fileURLToPath } from 'node:url';
import { type BundlingOptions, LogLevel, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';

/** The repository, in which esbuild runs and from which its arguments name files. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/**
 * One small ES module with the SDK inside, so that what is tested is what runs. No source map: Node would have to load
 * it at every start to use it.
 */
export const bundling: BundlingOptions = {
  format: OutputFormat.ESM,
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  logLevel: LogLevel.WARNING,
  externalModules: [],
  esbuildArgs: {
    '--alias': ['@aws-sdk/credential-provider-node=./functions/adapters/credentials-from-environment.ts'],
  },
};
