import path from 'node:path';
import { codeOf, importsOf, isPackage, type SourceFile } from './repository-files.ts';

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

/** Whether the test, or its folder, has the name of the file. */
const isNamedAfter = (test: string, file: string): boolean =>
  test
    .replace(/\.test\.tsx?$/, '')
    .split('/')
    .slice(-2)
    .includes(path.posix.parse(file).name);

/** What imports a file, and of one that is no module what names it: SQL and pages are read, not imported. */
const whatReads = (changed: readonly string[], sources: readonly SourceFile[]): ReadonlyMap<string, string[]> => {
  const importers = new Map<string, string[]>();
  for (const source of sources)
    for (const target of importsOf(source)) importers.set(target, [...(importers.get(target) ?? []), source.file]);
  for (const file of changed.filter(isPackage)) {
    const readers = sources.filter(({ text }) => codeOf(text).includes(path.posix.basename(file)));
    importers.set(
      file,
      readers.map((reader) => reader.file),
    );
  }
  return importers;
};

/**
 * The tests that reach a changed file, nearest first: those named after it, then by the number of steps, then those of the same
 * folder, then the quick ones.
 */
export const testsNear = (
  changed: readonly string[],
  sources: readonly SourceFile[],
  msOf: (file: string) => number = () => 0,
): readonly string[] => {
  const importers = whatReads(changed, sources);
  const steps = new Map(changed.map((file) => [file, 0]));
  // A map can grow while it is gone through, and has its newest entries last.
  for (const [file, count] of steps)
    for (const importer of importers.get(file) ?? []) if (!steps.has(importer)) steps.set(importer, count + 1);
  const shared = (test: string): number => Math.max(...changed.map((file) => sharedFolders(test, file)));
  const named = (test: string): number => Number(changed.some((file) => isNamedAfter(test, file)));

  return [...steps]
    .filter(([file]) => isTest(file))
    .toSorted(
      ([one, near], [other, far]) =>
        named(other) - named(one) || near - far || shared(other) - shared(one) || msOf(one) - msOf(other),
    )
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
