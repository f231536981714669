import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, type NodejsFunctionProps, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { BuildOptions } from 'esbuild';
import type { FunctionName } from '../../functions/timeouts.ts';

/** The root of the repository. esbuild runs here, and its arguments name files relative to it. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The name of a function's bundle. */
export const bundleFile = 'index.js';

/** What the bundles have instead of some parts of the SDK. */
export const sdkOnLambda = './functions/adapters/sdk-on-lambda.ts';

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
  // `dynamic-import`: the SDK imports `node:http` at its first request, and this turns that import into a `require` too.
  // `arrow`: V8 parses an arrow function without braces in full when it loads the file, and any other only when it is called.
  // Without arrows a function is ready 4 to 8 % sooner, though its file is 5 to 6 % larger. esbuild rewrites arrows that use
  // `this` wrongly in fields of classes and in constructors before `super()`: a test lists where any uses it.
  supported: { 'dynamic-import': false, arrow: false },
  // The SDK imports its event streams only when a request needs them, and no request of ours does. For the sake of this one
  // late import esbuild would make most of the SDK's modules loadable late, each in a function of its own.
  external: ['@smithy/core/event-streams'],
  alias: {
    '@aws-sdk/credential-provider-node': sdkOnLambda,
    '@aws-sdk/middleware-endpoint-discovery': sdkOnLambda,
    'node:fs/promises': sdkOnLambda,
  },
} as const satisfies BuildOptions;

/** A part of a function that is loaded late, as few events need it: the module, and its file beside the bundle. */
const lateParking = { entry: 'functions/receive-callback/sqs.ts', file: 'sqs.js' } as const;

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

/** The same for CDK, which runs esbuild by its command line. */
const cdkBundling = (name: FunctionName): BundlingOptions => {
  const { external = [], alias = {} } = bundlingOf(entryOf(name));
  const { entry, file } = lateParking;
  return {
    format: OutputFormat.CJS,
    target: common.target,
    mainFields: [...common.mainFields],
    minify: common.minify,
    logLevel: LogLevel.WARNING,
    externalModules: [...external],
    esbuildArgs: { ...Object.fromEntries(supportedFlags), '--alias': aliasesIn(alias) },
    commandHooks: {
      beforeBundling: () => [],
      beforeInstall: () => [],
      afterBundling: (_input, output) =>
        name === 'receive-callback'
          ? [`npx --no-install esbuild ${flagsFor(entry, `${output}/${file}`).join(' ')}`]
          : [],
    },
  };
};

/** The language features that esbuild rewrites, as flags of its command line. */
const supportedFlags = Object.entries(common.supported).map(
  ([feature, isSupported]) => [`--supported:${feature}`, String(isSupported)] as const,
);

const aliasesIn = (alias: NonNullable<BuildOptions['alias']>): string[] =>
  Object.entries(alias).map((pair) => pair.join('='));

/** The command line's arguments to bundle a module into a file. */
const flagsFor = (entry: string, outfile: string): readonly string[] => [
  ...[entry, '--bundle', '--minify', `--platform=${common.platform}`, `--format=${common.format}`],
  ...[`--target=${common.target}`, `--main-fields=${common.mainFields.join(',')}`, `--log-level=${common.logLevel}`],
  ...supportedFlags.map((flag) => flag.join('=')),
  ...common.external.map((name) => `--external:${name}`),
  ...aliasesIn(common.alias).map((pair) => `--alias:${pair}`),
  `--outfile=${quoted(outfile)}`,
];

/** A path as one word of the shell that CDK runs its hooks in. */
const quoted = (path: string): string =>
  process.platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`;

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
