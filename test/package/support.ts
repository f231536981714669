import { execFile } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** What an entry of the package comes to in a subscriber's bundle. */
export interface BundledEntry {
  /** The packages that are in it. */
  readonly packages: readonly string[];
  readonly bytes: number;
  readonly gzippedBytes: number;
}

/** Bundles all of an entry as a subscriber would for Lambda, where `external` packages come from elsewhere. */
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

/** What a process did. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** What a process gets beside its arguments: text to read, and variables beside those of the tests. */
interface Given {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a program in a project to its end, whatever that is. */
export const runIn = (
  project: string,
  program: string,
  args: readonly string[],
  { input = '', environment = {} }: Given = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    const child = execFile(program, args, { cwd: project, env }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output, errors }),
    );
    // A program that does not read has no use for it.
    child.stdin?.on('error', () => undefined).end(input);
  });

/** Runs Node, the one that runs the tests, in a project. */
export const nodeIn = (project: string, args: readonly string[], given?: Given): Promise<Ended> =>
  runIn(project, process.execPath, args, given);

/** Runs the project's compiler, with options beside those of its `tsconfig.json`. */
export const compile = (project: string, ...options: readonly string[]): Promise<Ended> =>
  nodeIn(project, ['node_modules/typescript/bin/tsc', '-p', '.', '--pretty', 'false', ...options]);
