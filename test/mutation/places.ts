import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vitest/config';

/** A change of one place in a source file. */
export interface Place {
  readonly id: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly replacement: string;
}

const root = path.join(import.meta.dirname, '../..');
export const folder = path.join(root, '.mutation');

/** Stands for a place where none is changed. */
export const unchangedMark = '-';

const changedFileOf = (file: string): string => path.join(folder, 'sources', path.relative(root, file));

const quiet = { debug: () => {}, info: () => {}, isDebugEnabled: () => false } as never;
const options = { plugins: null, excludedMutations: [], ignorers: [] };

/** The share of numbers below 1 that the text's hash falls into. */
const drawn = (share: number, ...text: readonly unknown[]): boolean =>
  createHash('sha256').update(text.join('\n')).digest().readUInt32BE() / 2 ** 32 < share;

/**
 * Writes the files once more with every change in them, each behind a switch, and returns the drawn ones. The instrumenter
 * is Stryker's. Its own runner loads all test files anew for each change, which takes ten times as long as the tests do.
 */
export const preparePlaces = async (
  files: readonly string[],
  share: number,
  seed: string,
): Promise<readonly Place[]> => {
  const texts = files.map(async (file) => ({
    name: file,
    content: await readFile(file, 'utf8'),
    mutate: true as const,
  }));
  // Babel, which it loads, would delay every run of vitest, whose settings need this file.
  const { Instrumenter } = await import('@stryker-mutator/instrumenter');
  const changed = await new Instrumenter(quiet).instrument(await Promise.all(texts), options);
  for (const { name, content } of changed.files) {
    await mkdir(path.dirname(changedFileOf(name)), { recursive: true });
    // With a change switched on nobody asks what is reached.
    const counting = 'function cover() {';
    await writeFile(
      changedFileOf(name),
      content.replace(counting, `${counting} if (ns.activeMutant !== undefined) return;`),
    );
  }
  return changed.mutants
    .map(({ id, fileName, location: { start }, replacement }) => ({
      ...{ id, file: path.relative(root, fileName), replacement },
      // Stryker counts from 0.
      ...{ line: start.line + 1, column: start.column + 1 },
    }))
    .filter(({ id: _, ...place }) => drawn(share, seed, ...Object.values(place)));
};

/** Loads the files with the switches in place of the sources. */
export const withSwitches = (): Plugin => ({
  name: 'with-switches',
  enforce: 'pre',
  load: (id) =>
    id.startsWith(root) && !id.includes('node_modules')
      ? readFile(changedFileOf(id), 'utf8').catch(() => undefined)
      : undefined,
});
