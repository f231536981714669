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
