import { statSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { bundleFile, bundling, externalOf, projectRoot } from '../../cdk/constructs/function-code.ts';

/** A function in one file, as it would be deployed. */
export interface Bundle {
  readonly folder: string;
  readonly bytes: number;
  readonly packages: readonly string[];
  /** Every file in it, those of packages too, from the repository's root. */
  readonly files: readonly string[];
  readonly sources: readonly string[];
}

/** Bundles a module into `folder`, with the settings with which the stack bundles its functions, or those of one function. */
export const bundle = async (entry: string, folder: string, settingsOf: string = entry): Promise<Bundle> => {
  const outfile = join(folder, bundleFile);
  const settings = { ...bundling, external: externalOf(settingsOf), absWorkingDir: projectRoot };
  const { metafile } = await build({ ...settings, entryPoints: [entry], outfile, metafile: true });
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
