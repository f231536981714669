import { importsOf, type SourceFile } from './repository-files.ts';

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);

/** How many folders from the first on two files share, where a test counts as being where what it mirrors is. */
const sharedFolders = (one: string, other: string): number => {
  const [parts = [], others = []] = [one, other].map((file) =>
    file
      .replace(/^test\//, '')
      .split('/')
      .slice(0, -1),
  );
  const differs = parts.findIndex((part, index) => part !== others[index]);
  return differs < 0 ? parts.length : differs;
};

/** The tests that reach a changed file by imports, nearest first: by the number of steps, then those of the same folder, then the quick ones. */
export const testsNear = (
  changed: readonly string[],
  sources: readonly SourceFile[],
  msOf: (file: string) => number = () => 0,
): readonly string[] => {
  const importers = new Map<string, string[]>();
  for (const source of sources)
    for (const target of importsOf(source)) importers.set(target, [...(importers.get(target) ?? []), source.file]);

  const steps = new Map(changed.map((file) => [file, 0]));
  // A map can grow while it is gone through, and has its newest entries last.
  for (const [file, count] of steps)
    for (const importer of importers.get(file) ?? []) if (!steps.has(importer)) steps.set(importer, count + 1);
  const shared = (test: string): number => Math.max(...changed.map((file) => sharedFolders(test, file)));

  return [...steps]
    .filter(([file]) => isTest(file))
    .toSorted(([one, near], [other, far]) => near - far || shared(other) - shared(one) || msOf(one) - msOf(other))
    .map(([file]) => file);
};

/** The files that fit into this time, the first ones first. One that takes longer than what is left is passed over. */
export const fitting = (
  files: readonly string[],
  msOf: (file: string) => number,
  mostMs: number,
): readonly string[] => {
  let leftMs = mostMs;
  return files.filter((file) => {
    const fits = msOf(file) <= leftMs;
    if (fits) leftMs -= msOf(file);
    return fits;
  });
};
