import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { bundleFile, bundling, projectRoot } from '../../../cdk/constructs/function-code.ts';

/** A function in one file, as it would be deployed. */
export interface Bundle {
  readonly folder: string;
  readonly bytes: number;
  readonly packages: readonly string[];
  /** Every file in it, those of packages too, from the repository's root. */
  readonly files: readonly string[];
  /** Our own files in it. */
  readonly sources: readonly string[];
}

/** Translates the stack's command-line arguments for esbuild to its interface. Throws for an unknown argument. */
const argumentsOf = (args: Readonly<Record<string, unknown>>): Pick<BuildOptions, 'alias' | 'supported'> => {
  const { '--alias': alias, '--supported:dynamic-import': dynamicImport, ...others } = args;
  if (!Array.isArray(alias) || Object.keys(others).length > 0)
    throw new Error(`The stack passes unknown arguments to esbuild: ${JSON.stringify(args)}`);
  const aliases = Object.fromEntries(alias.map((pair) => String(pair).split('=', 2)));
  return { alias: aliases, supported: { 'dynamic-import': dynamicImport !== 'false' } };
};

/** Bundles a module into `folder`, with the settings with which the stack bundles its functions, or some others. */
export const bundle = async (
  entry: string,
  folder: string,
  {
    external = bundling.externalModules,
    ...others
  }: Pick<BuildOptions, 'alias' | 'external' | 'define' | 'plugins' | 'banner' | 'footer'> = {},
): Promise<Bundle> => {
  const outfile = join(folder, bundleFile);
  const { format, target, mainFields = [], minify = false, esbuildArgs = {} } = bundling;
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    metafile: true,
    logLevel: 'warning',
    minify,
    mainFields: [...mainFields],
    external: [...(external ?? [])],
    ...argumentsOf(esbuildArgs),
    ...(format && { format }),
    ...(target && { target }),
    ...others,
  });
  const files = filesIn(metafile);
  const sources = files.filter((file) => !file.includes('node_modules/'));
  return { folder, bytes: statSync(outfile).size, packages: packagesIn(files), files, sources };
};

/** The files in the output. esbuild also reads some that it leaves out. */
const filesIn = ({ outputs }: Metafile): readonly string[] =>
  Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );

const packagesIn = (files: readonly string[]): readonly string[] => {
  const names = files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
};
