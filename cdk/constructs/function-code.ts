import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, type NodejsFunctionProps, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type * as Esbuild from 'esbuild';
import type { BuildOptions } from 'esbuild';
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
 */
const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  logLevel: 'warning',
  // The SDK imports `node:http` at its first request. This turns that import into a `require` too.
  supported: { 'dynamic-import': false },
  // The SDK imports its event streams only when a request needs them, and no request of ours does. For the sake of this one
  // late import esbuild would make most of the SDK's modules loadable late, each in a function of its own.
  external: ['@smithy/core/event-streams'],
  alias: {
    '@aws-sdk/credential-provider-node': './functions/adapters/credentials-from-environment.ts',
    '@aws-sdk/middleware-endpoint-discovery': './functions/adapters/no-endpoint-discovery.ts',
    'node:fs/promises': './functions/adapters/no-files.ts',
  },
} as const satisfies BuildOptions;

/** A part of a function that is loaded late, as few events need it: the module, and its file beside the bundle. */
export const lateParking = { entry: 'functions/receive-callback/sqs.ts', file: 'sqs.js' } as const;

/** How esbuild bundles a module: the receiver without SQS, which it needs only while its tables are down. */
export const bundlingOf = (entry: string): BuildOptions =>
  entry === entryOf('receive-callback')
    ? {
        ...common,
        external: [...common.external, `./${lateParking.file}`],
        alias: { ...common.alias, '@aws-sdk/client-sqs': './functions/receive-callback/late-sqs.ts' },
      }
    : common;

/** The module of a function, from the root of the repository. */
const entryOf = (name: FunctionName): string => `functions/${name}/index.ts`;

/** Bundles the late part of a function, if it has one, beside its bundle. */
const bundleLatePart = (name: FunctionName, folder: string): void => {
  if (name !== 'receive-callback') return;
  const { entry, file } = lateParking;
  // Only a checkout has esbuild. CDK waits for its hooks, so this must be the synchronous form.
  const { buildSync }: typeof Esbuild = createRequire(import.meta.url)('esbuild');
  buildSync({ ...bundlingOf(entry), absWorkingDir: projectRoot, entryPoints: [entry], outfile: join(folder, file) });
};

/** The same for CDK, which runs esbuild by its command line. */
const cdkBundling = (name: FunctionName): BundlingOptions => {
  const { target, mainFields = [], external = [], alias = {} } = bundlingOf(entryOf(name));
  return {
    format: OutputFormat.CJS,
    ...(typeof target === 'string' && { target }),
    mainFields: [...mainFields],
    minify: common.minify,
    logLevel: LogLevel.WARNING,
    externalModules: [...external],
    esbuildArgs: {
      '--supported:dynamic-import': 'false',
      '--alias': Object.entries(alias).map((pair) => pair.join('=')),
    },
    commandHooks: {
      beforeBundling: () => [],
      beforeInstall: () => [],
      afterBundling: (_inputFolder, folder) => {
        bundleLatePart(name, folder);
        return [];
      },
    },
  };
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
        entry: join(projectRoot, entryOf(name)),
        projectRoot,
        depsLockFilePath: join(projectRoot, 'package-lock.json'),
        bundling: cdkBundling(name),
      };
