import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { requestLaunch, startLauncher } from './dynamodb-local.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers GET with the folder that the package is installed in, which it makes when first asked. */
    readonly packageLauncher: string;
  }
}

/** The folder that the tests are in. */
export const checkout = resolve(import.meta.dirname, '../..');

/** What a subscriber brings along: taken from the checkout, as the CDK alone would be a minute's download. */
const linkedPackages = [
  '@aws-lambda-powertools/idempotency',
  '@types/aws-lambda',
  '@types/node',
  'aws-cdk-lib',
  'constructs',
  'esbuild',
  'typescript',
];

/** For vitest's `globalSetup`. Nothing is built unless a test asks for the package. */
export const setup = async (project: Pick<TestProject, 'provide'>): Promise<() => void> => {
  const folder = mkdtempSync(join(tmpdir(), 'callfeed-package-'));
  const launcher = await startLauncher(() => install(folder));
  project.provide('packageLauncher', launcher.url);

  return () => {
    launcher.close();
    rmSync(folder, { recursive: true });
  };
};

/** The folder of an otherwise empty project into which npm has installed the packed package. Treat it as read-only. */
export const installedPackage = (): Promise<string> => requestLaunch(inject('packageLauncher'));

/** A folder of a test's own, in which the package can be imported as in the project that installed it. */
export const projectWith = (installed: string, files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(dirname(installed), 'project-'));
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files }))
    writeFileSync(join(folder, name), text);

  return folder;
};

/** The tarball that a project was installed from. */
export const tarballOf = (installed: string): string => {
  const [file, ...others] = readdirSync(dirname(installed)).filter((name) => name.endsWith('.tgz'));
  if (file === undefined || others.length > 0) throw new Error('There must be one tarball');

  return join(dirname(installed), file);
};

const install = async (folder: string): Promise<string> => {
  const installed = join(folder, 'installed');
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{ "private": true }');
  await npm(checkout, 'pack', '--pack-destination', folder);
  const options = ['--prefer-offline', '--no-audit', '--no-fund'];
  const stderr = await npm(installed, 'install', ...options, tarballOf(installed));
  const names = readdirSync(join(installed, 'node_modules'));
  writeFileSync(join(folder, 'installed.json'), JSON.stringify({ names, stderr }));
  for (const name of linkedPackages) {
    const link = join(installed, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(checkout, 'node_modules', name), link);
  }
  // The CDK bundles by `npx esbuild`.
  symlinkSync('../esbuild/bin/esbuild', join(installed, 'node_modules/.bin/esbuild'));

  return installed;
};

/** npm says on standard output what a build says there, so that is told if it fails. */
const npm = async (cwd: string, ...args: readonly string[]): Promise<string> => {
  // The log level of whoever runs the tests may hide warnings.
  const { code, output, errors } = await runIn(cwd, 'npm', args, { environment: { npm_config_loglevel: 'warn' } });
  if (code !== 0) throw new Error(`npm ${args[0]} failed: ${output}${errors}`);
  return errors;
};

/** How a process ended. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** The standard input of a process, and variables in addition to those of the tests. */
interface RunOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a program in a project until it ends, and never rejects. */
export const runIn = (
  project: string,
  program: string,
  args: readonly string[],
  { input = '', environment = {} }: RunOptions = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    const child = execFile(program, args, { cwd: project, env }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output, errors }),
    );
    // Writing fails if the program does not read its input.
    child.stdin?.on('error', () => undefined).end(input);
  });

/** Variables by which the clock of every Node that a program starts is so many milliseconds ahead of this machine's. */
export const clockAhead = (aheadMs: number): Readonly<Record<string, string>> => {
  const clock = `const RealDate = Date; globalThis.Date = class extends RealDate {
    constructor(...given) { given.length === 0 ? super(RealDate.now() + ${aheadMs}) : super(...given); }
    static now() { return RealDate.now() + ${aheadMs}; } };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}` };
};

/** Runs the Node that runs the tests, in a project. */
export const nodeIn = (project: string, args: readonly string[], options?: RunOptions): Promise<Ended> =>
  runIn(project, process.execPath, args, options);

/** Runs the project's compiler, with options in addition to its `tsconfig.json`. */
export const compile = (project: string, ...options: readonly string[]): Promise<Ended> =>
  nodeIn(project, ['node_modules/typescript/bin/tsc', '-p', '.', '--pretty', 'false', ...options]);
