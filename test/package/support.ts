import { execFile } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** A subscriber's bundle of an entry of the package. */
export interface BundledEntry {
  /** The packages in the bundle. */
  readonly packages: readonly string[];
  readonly bytes: number;
  readonly gzippedBytes: number;
}

/** Bundles a whole entry as a subscriber would for Lambda, without the `external` packages. */
export const bundledEntry = async (
  project: string,
  entry: string,
  external: readonly string[] = [],
): Promise<BundledEntry> => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export * from '${entry}';`, resolveDir: project },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    external: [...external],
    logLevel: 'silent',
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  const packages = Object.keys(metafile.inputs).flatMap((file) => packageOf(file) ?? []);

  return { packages: [...new Set(packages)].sort(), bytes: contents.length, gzippedBytes: gzipSync(contents).length };
};

const packageOf = (file: string): string | undefined => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];

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
