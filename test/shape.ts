import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { bundle } from '../bench/lambda/bundle.ts';
import { timeoutSeconds } from '../functions/timeouts.ts';
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
    .filter((file) => /\.(?:m?tsx?|js|py|sh)$/.test(file) && isCounted(file))
    .reduce((sum, file) => sum + linesOf(file), 0);

const isExample = (file: string): boolean => file.startsWith('docs/examples/');
const isVerification = (file: string): boolean => /^(?:test|docs)\//.test(file) && !isExample(file);
const isProduct = (file: string): boolean => product.some((folder) => file.startsWith(`${folder}/`));

const product = ['lib', 'functions', 'cdk', 'cli', 'sandbox'];

/** The imports between our files, types too. */
const imports = new Map(
  sourceFiles(...product).map((source) => [source.file, importsOf(source).filter((target) => !isPackage(target))]),
);

/** Everything that a place reaches by steps. */
const reached = (from: string, stepsOf: (place: string) => readonly string[]): ReadonlySet<string> => {
  const seen = new Set<string>();
  const waiting = [...stepsOf(from)];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (seen.has(place)) continue;
    seen.add(place);
    waiting.push(...stepsOf(place));
  }
  return seen;
};

const filesInCircles = [...imports.keys()].filter((file) => reached(file, (one) => imports.get(one) ?? []).has(file));

/** The folders of lib that reach themselves by imports. */
const foldersInCircles = (): readonly string[] => {
  const folderOf = (file: string): string => path.posix.dirname(file);
  const steps = new Map<string, string[]>();
  for (const [file, targets] of imports) {
    const [folder, others] = [folderOf(file), targets.map(folderOf)];
    steps.set(folder, [...(steps.get(folder) ?? []), ...others.filter((other) => other !== folder)]);
  }
  const ofLib = [...steps.keys()].filter((folder) => folder.startsWith('lib/'));
  return ofLib.filter((folder) => reached(folder, (one) => steps.get(one) ?? []).has(folder));
};

/** On how many floors the files of a folder stand: one above all that it imports of the same folder. */
const floorsOf = (folder: string): number => {
  const floors = new Map<string, number>();
  const floorOf = (file: string): number => {
    const known = floors.get(file);
    if (known !== undefined) return known;
    // A file in a circle stands on itself.
    floors.set(file, 1);
    const within = (imports.get(file) ?? []).filter((target) => path.posix.dirname(target) === folder);
    floors.set(file, 1 + Math.max(0, ...within.map(floorOf)));
    return floors.get(file) ?? 1;
  };
  return Math.max(...[...imports.keys()].filter((file) => path.posix.dirname(file) === folder).map(floorOf));
};

const validators = ['zod', 'ajv', 'joi', 'valibot', 'yup', 'superstruct'];
const validatorsUsed = validators.filter((name) =>
  sourceFiles(...product).some((source) => importsOf(source).some((target) => target.split('/')[0] === name)),
);

const sourcesIn = async (name: string): Promise<number> =>
  (await bundle(join('functions', name, 'index.ts'), join(tmpdir(), 'callfeed-shape', name))).sources.length;

const pages = tracked.filter((file) => /^docs\/(?!examples\/).*\.md$/.test(file));
const words = pages.map((file) => readFileSync(file, 'utf8').split(/\s+/).filter(Boolean).length);

const figures: readonly Figure[] = [
  { what: `folders at the top (${topFolders.join(' ')})`, target: '8', now: topFolders.length },
  { what: 'tracked files', target: '700', now: tracked.length },
  ...(await Promise.all(
    Object.keys(timeoutSeconds).map(async (name) => ({
      what: `our files in the bundle of ${name}`,
      target: '40',
      now: await sourcesIn(name),
    })),
  )),
  { what: 'files in an import circle', target: '0', now: filesInCircles.length },
  { what: 'folders of lib in an import circle', target: '0', now: foldersInCircles().length },
  { what: 'files of lib/agents', target: '14', now: tracked.filter((file) => file.startsWith('lib/agents/')).length },
  { what: 'floors of lib/agents', target: '8', now: floorsOf('lib/agents') },
  { what: `packages that validate (${validatorsUsed.join(' ')})`, target: '1', now: validatorsUsed.length },
  { what: `lines of the product (${product.join(' ')})`, target: '33,000', now: codeLines(isProduct) },
  { what: 'lines that verify (test, and generators in docs)', target: '42,000', now: codeLines(isVerification) },
  { what: 'lines of the examples for customers (docs/examples)', target: '', now: codeLines(isExample) },
  { what: 'lines that measure (bench)', target: '', now: codeLines((file) => file.startsWith('bench/')) },
  { what: 'lines of the README', target: '200', now: linesOf('README.md') },
  {
    what: 'words of the pages (docs without examples)',
    target: '61,800',
    now: words.reduce((sum, count) => sum + count, 0),
  },
];

const width = Math.max(...figures.map(({ what }) => what.length));
for (const { what, target, now } of figures)
  process.stdout.write(
    `${what.padEnd(width)}  ${now.toLocaleString('en').padStart(7)}${target && `  at most ${target}`}\n`,
  );
