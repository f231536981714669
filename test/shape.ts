import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { bundle } from '../bench/lambda/lambda-process.ts';
import type { timeoutSeconds } from '../functions/limits.ts';
import { importsOf, isPackage, sourceFiles } from './support/repository-files.ts';

// Figures of the code base. Above a limit, which is what was reached, the program fails; the target is where it is to go.

interface Figure {
  readonly what: string;
  readonly now: number;
  readonly limit: number;
  readonly target: number;
}

const product = ['lib', 'functions', 'client', 'cdk', 'cli', 'sandbox'];

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);
const within = (...folders: readonly string[]): readonly string[] =>
  tracked.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)));

/** A file with a zero byte is no text. */
const textOf = (file: string): string => {
  const bytes = readFileSync(file);
  return bytes.includes(0) ? '' : bytes.toString();
};

/** Every line of every tracked text file, styles and SQL too, as the formatter leaves it. */
const linesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0);

const recorded = /^test\/upgrade\/releases\//;
const generated = ['docs/asyncapi.json', 'docs/grafana/callfeed.json'].filter((file) => tracked.includes(file));
const pages = tracked.filter((file) => /^(?:README|CONTRIBUTING|docs\/(?:[^/]+\/)?[^/]+)\.md$/.test(file));

const countIn = (files: readonly string[], pattern: RegExp): number =>
  files.reduce((sum, file) => sum + (textOf(file).match(pattern)?.length ?? 0), 0);

const sources = within(...product).filter((file) => /\.tsx?$/.test(file));
const docComments = countIn(sources, /^\s*\/\*\*/gm);
const definitions = countIn(
  sources,
  /^(?:export )?(?:async )?(?:const|function|class|abstract class|interface|type) /gm,
);

/** The files of each optional feature: its functions, its folder in lib, its constructs, its commands and its part of the sandbox. */
const features = [
  {
    name: 'recordings',
    limit: 5,
    own: /^(?:lib\/recordings|functions\/archive-recordings)\/|^cdk\/constructs\/archive-recordings\.ts$|^cli\/commands\/recordings\/|^sandbox\/features\/recordings\.ts$/,
  },
  {
    name: 'reconciliation',
    limit: 3,
    own: /^functions\/reconcile-calls\/|^cdk\/constructs\/reconcile-calls\.ts$|^cli\/commands\/reconciliation\/|^sandbox\/features\/reconciliation\.ts$/,
  },
  {
    name: 'analytics',
    limit: 3,
    own: /^functions\/transform-events\/|^cdk\/constructs\/(?:analytics|lake-\w+)\.ts$|^cli\/commands\/analytics\/|^sandbox\/features\/analytics\.ts$/,
  },
  {
    name: 'forwarding',
    limit: 3,
    own: /^functions\/forward-deliveries\/|^cdk\/constructs\/forward-deliveries\.ts$|^cli\/commands\/forwarding\.ts$|^sandbox\/features\/forwarding\.ts$/,
  },
];

/** The product's files that no longer compile in a copy without these. */
const broken = (own: RegExp): number => {
  const copy = mkdtempSync(join(tmpdir(), 'callfeed-shape-'));
  try {
    for (const file of [...within(...product), 'cdk.json', 'package.json'].filter((file) => !own.test(file))) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(file, join(copy, file));
    }
    const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
    const config = { compilerOptions, include: product, exclude: ['cli/console/page'] };
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));
    symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
    const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], {
      cwd: copy,
      encoding: 'utf8',
    });
    return new Set([...stdout.matchAll(/^([^\s(][^(]*)\(\d+,\d+\): error TS/gm)].map(([, file]) => file)).size;
  } finally {
    rmSync(copy, { recursive: true });
  }
};

/** The imports between our files, types too. */
const imports = new Map(
  sourceFiles(...product).map((source) => [source.file, importsOf(source).filter((target) => !isPackage(target))]),
);

/** The places that reach themselves by steps. */
const inCircles = (steps: ReadonlyMap<string, readonly string[]>): number => {
  const reached = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const waiting = [...(steps.get(from) ?? [])];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      waiting.push(...(steps.get(place) ?? []));
    }
    return seen;
  };
  return [...steps.keys()].filter((place) => reached(place).has(place)).length;
};

const folderSteps = new Map<string, string[]>();
for (const [file, targets] of imports) {
  const folder = posix.dirname(file);
  const others = targets.map((target) => posix.dirname(target)).filter((other) => other !== folder);
  folderSteps.set(folder, [...(folderSteps.get(folder) ?? []), ...others]);
}
const libSteps = new Map([...folderSteps].filter(([folder]) => folder.startsWith('lib/')));

const sourcesIn = async (name: string): Promise<number> =>
  (await bundle(join('functions', name, 'index.ts'), join(tmpdir(), 'callfeed-shape', name))).sources.length;

const figure = (what: string, now: number, limit: number, target = limit): Figure => ({ what, now, limit, target });

/** Our files in the bundle of each function. */
const bundleLimits: Readonly<Record<keyof typeof timeoutSeconds, number>> = {
  'receive-callback': 44,
  'recover-callbacks': 33,
  'publish-changes': 43,
  'poll-agents': 41,
  'reconcile-calls': 46,
  'forward-deliveries': 25,
  'archive-recordings': 25,
  'transform-events': 34,
};

const figures: readonly Figure[] = [
  figure(`lines of the product (${product.join(' ')})`, linesOf(within(...product)), 42_440, 39_000),
  figure(
    'lines that verify (test without recorded releases, bench)',
    linesOf(within('test', 'bench').filter((file) => !recorded.test(file))),
    60_514,
    52_000,
  ),
  figure('tracked files', tracked.length, 813, 780),
  figure(`lines of generated JSON (${generated.join(' ')})`, linesOf(generated), 1_500),
  figure('words of the pages', countIn(pages, /\S+/g), 60_370, 64_000),
  figure('doc comments for each 100 definitions', Math.round((100 * docComments) / definitions), 50),
  ...features.map(({ name, own, limit }) => figure(`files that do not compile without ${name}`, broken(own), limit, 5)),
  ...(await Promise.all(
    Object.entries(bundleLimits).map(async ([name, limit]) =>
      figure(`our files in the bundle of ${name}`, await sourcesIn(name), limit, 40),
    ),
  )),
  figure('files in an import circle', inCircles(imports), 0),
  figure('folders of lib in an import circle', inCircles(libSteps), 0),
];

const width = Math.max(...figures.map(({ what }) => what.length));
const column = (value: number): string => value.toLocaleString('en').padStart(9);
process.stdout.write(`${''.padEnd(width)}      now    limit   target\n`);
for (const { what, now, limit, target } of figures)
  process.stdout.write(
    `${what.padEnd(width)}${column(now)}${column(limit)}${column(target)}${now > limit ? '  too many' : ''}\n`,
  );
process.exitCode = figures.some(({ now, limit }) => now > limit) ? 1 : 0;
