import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timeoutSeconds } from '../functions/timeouts.ts';
import { bundle } from './bench/lambda/bundle.ts';
import { importsOf, isPackage, sourceFiles } from './support/source-files.ts';

/** A figure of the code base, what it should be at most, and what it is. */
interface Figure {
  readonly what: string;
  readonly target: string;
  readonly now: string | number;
}

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const topFolders = [...new Set(tracked.flatMap((file) => /^([^./][^/]*)\//.exec(file)?.[1] ?? []))];

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

/** TypeScript, Python and shell: what somebody has to read and maintain. */
const codeLines = (isCounted: (file: string) => boolean): number =>
  tracked
    .filter((file) => /\.(?:m?ts|js|py|sh)$/.test(file) && isCounted(file))
    .reduce((sum, file) => sum + linesOf(file), 0);

const isVerification = (file: string): boolean => file.startsWith('test/');

/** The folders of lib that reach themselves by imports. */
const foldersInCycles = (): readonly string[] => {
  const folderOf = (file: string): string => file.split('/')[1] ?? '';
  const edges = sourceFiles('lib').flatMap((source) =>
    importsOf(source)
      .filter((target) => !isPackage(target) && folderOf(target) !== folderOf(source.file))
      .map((target) => [folderOf(source.file), folderOf(target)] as const),
  );
  const reached = (from: string, seen = new Set<string>()): ReadonlySet<string> => {
    for (const [a, b] of edges)
      if (a === from && !seen.has(b)) {
        seen.add(b);
        reached(b, seen);
      }
    return seen;
  };
  return [...new Set(edges.map(([a]) => a))].filter((folder) => reached(folder).has(folder));
};

const sourcesIn = async (name: string): Promise<number> =>
  (await bundle(join('functions', name, 'index.ts'), join(tmpdir(), 'callfeed-shape', name))).sources.length;

const figures: readonly Figure[] = [
  { what: `folders at the top (${topFolders.join(' ')})`, target: '7', now: topFolders.length },
  { what: 'tracked files', target: '800', now: tracked.length },
  ...(await Promise.all(
    Object.keys(timeoutSeconds).map(async (name) => ({
      what: `our files in the bundle of ${name}`,
      target: '45',
      now: await sourcesIn(name),
    })),
  )),
  { what: 'folders of lib in an import cycle', target: '0', now: foldersInCycles().length },
  { what: 'lines of code of the product', target: '', now: codeLines((file) => !isVerification(file)) },
  { what: 'lines of code that verify (test)', target: '45,000', now: codeLines(isVerification) },
  { what: 'lines of the README', target: '200', now: linesOf('README.md') },
];

const width = Math.max(...figures.map(({ what }) => what.length));
for (const { what, target, now } of figures)
  process.stdout.write(
    `${what.padEnd(width)}  ${now.toLocaleString('en').padStart(7)}${target && `  at most ${target}`}\n`,
  );
