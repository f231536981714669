import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { bundle } from '../bench/lambda/lambda-process.ts';
import type { timeoutSeconds } from '../functions/limits.ts';
import { importsOf, isPackage, sourceFiles } from './support/repository-files.ts';

// Figures of the code base. Each has a limit, which is what was reached: above it the program fails. Lines, files and words are
// ratchets without a target: a capability or a mend that needs more raises them, in the commit that adds it.

interface Figure {
  readonly what: string;
  readonly now: number;
  readonly limit: number;
}

const product = ['lib', 'functions', 'client', 'cdk', 'cli', 'sandbox', 'python'];

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
    limit: 10,
    own: /^(?:lib\/recordings|functions\/archive-recordings|cli\/recordings)\/|^cdk\/constructs\/archive-recordings\.ts$|^sandbox\/features\/recordings\.ts$/,
  },
  {
    name: 'reconciliation',
    limit: 8,
    own: /^(?:functions\/reconcile-calls|cli\/reconciliation)\/|^cdk\/constructs\/reconcile-calls\.ts$|^sandbox\/features\/reconciliation\.ts$/,
  },
  {
    name: 'analytics',
    limit: 3,
    own: /^(?:functions\/transform-events|cli\/analytics)\/|^cdk\/constructs\/(?:analytics|lake-\w+)\.ts$|^sandbox\/features\/analytics\.ts$/,
  },
  {
    name: 'forwarding',
    limit: 4,
    own: /^(?:functions\/forward-deliveries|cli\/forwarding)\/|^cdk\/constructs\/forward-deliveries\.ts$|^sandbox\/features\/forwarding\.ts$/,
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
/** Folders that reach themselves by imports, within one top folder. */
const foldersInCircles = (top: string): number =>
  inCircles(
    new Map(
      [...folderSteps]
        .filter(([folder]) => folder === top || folder.startsWith(`${top}/`))
        .map(([folder, targets]) => [
          folder,
          targets.filter((target) => target === top || target.startsWith(`${top}/`)),
        ]),
    ),
  );

/** Names that are exported twice on purpose. */
const sameNames: Readonly<Record<string, string>> = {
  handler: 'Lambda asks each entry point for it',
  ReceiveCallback: 'the construct is named as what it deploys',
  ParkingQueue: 'the construct is named as what it deploys',
  analytics: 'what a feature is to the command line, and to the sandbox',
  forwarding: 'what a feature is to the command line, and to the sandbox',
  reconciliation: 'what a feature is to the command line, and to the sandbox',
  recordings: 'what a feature is to the command line, and to the sandbox',
  hidden: 'the page cannot import what the command line prints with',
  clockText: 'the page cannot import what the command line prints with',
  durationText: 'the page cannot import what the command line prints with',
  dayText: 'the page cannot import what the command line prints with',
  counted: 'the page cannot import what the command line prints with',
};

const exported = /^export (?:async )?(?:const|function\*?|(?:abstract )?class|interface|type) (\w+)/gm;

/** Names that several files export, each for something else. */
const namesTwice = (): readonly string[] => {
  const files = new Map<string, Set<string>>();
  for (const file of sources)
    for (const [, name = ''] of textOf(file).matchAll(exported))
      files.set(name, (files.get(name) ?? new Set()).add(file));
  return [...files].filter(([name, of]) => of.size > 1 && sameNames[name] === undefined).map(([name]) => name);
};

/** What an optional feature can add besides its commands: how many features add it. One that only one adds is no hook. */
const hooksOfOne = (): number => {
  const [, body = ''] = /export interface Feature \{(.*?)^\}/ms.exec(textOf('cli/frame/feature.ts')) ?? [];
  const hooks = [...body.matchAll(/^ {2}readonly (\w+)/gm)].map(([, hook = '']) => hook);
  const texts = ['analytics/query', 'forwarding/forwarding', 'reconciliation/reconciliation', 'recordings/recordings']
    .map((file) => textOf(`cli/${file}.ts`))
    .map((text) => text.slice(text.search(/^export const \w+: Feature = /m)));
  return hooks.filter((hook) => texts.filter((text) => text.includes(`${hook}:`)).length < 2).length;
};

const sourcesIn = async (name: string): Promise<readonly string[]> =>
  (await bundle(join('functions', name, 'index.ts'), join(tmpdir(), 'callfeed-shape', name))).sources;

/** Our files that the functions of the mission reach, with their lines: receive, recover, publish and poll. */
const reach = async () => {
  const of = ['receive-callback', 'recover-callbacks', 'publish-changes', 'poll-agents'];
  const bundled = await Promise.all(of.map((name) => sourcesIn(name)));
  const files = [...new Set(bundled.flat())];
  return { files: files.length, lines: linesOf(files) };
};

const figure = (what: string, now: number, limit: number): Figure => ({ what, now, limit });

/** Our files in the bundle of each function. */
const bundleLimits: Readonly<Record<keyof typeof timeoutSeconds, number>> = {
  'receive-callback': 54,
  'recover-callbacks': 37,
  'publish-changes': 46,
  'poll-agents': 48,
  'reconcile-calls': 62,
  'forward-deliveries': 29,
  'archive-recordings': 28,
  'transform-events': 38,
};

const reached = await reach();

const figures: readonly Figure[] = [
  figure(`lines of the product (${product.join(' ')})`, linesOf(within(...product)), 51_735),
  figure(
    'lines that verify (test without recorded releases, bench)',
    linesOf(within('test', 'bench').filter((file) => !recorded.test(file))),
    79_854,
  ),
  figure('tracked files', tracked.length, 1_133),
  figure(`lines of generated JSON (${generated.join(' ')})`, linesOf(generated), 1_500),
  figure('words of the pages', countIn(pages, /\S+/g), 71_981),
  figure('doc comments for each 100 definitions', Math.round((100 * docComments) / definitions), 55),
  ...features.map(({ name, own, limit }) => figure(`files that do not compile without ${name}`, broken(own), limit)),
  figure('hooks of an optional feature with one implementer', hooksOfOne(), 0),
  figure('files that receive, recover, publish and poll reach', reached.files, 99),
  figure('their lines', reached.lines, 10_932),
  ...(await Promise.all(
    Object.entries(bundleLimits).map(async ([name, limit]) =>
      figure(`our files in the bundle of ${name}`, (await sourcesIn(name)).length, limit),
    ),
  )),
  figure('files in an import circle', inCircles(imports), 0),
  ...product.map((top) => figure(`folders of ${top} in an import circle`, foldersInCircles(top), 0)),
  figure(['exported names with two meanings', ...namesTwice()].join(' '), namesTwice().length, 0),
];

const width = Math.max(...figures.map(({ what }) => what.length));
const column = (value: number): string => value.toLocaleString('en').padStart(9);
process.stdout.write(`${''.padEnd(width)}      now    limit\n`);
for (const { what, now, limit } of figures)
  process.stdout.write(`${what.padEnd(width)}${column(now)}${column(limit)}${now > limit ? '  too many' : ''}\n`);
process.exitCode = figures.some(({ now, limit }) => now > limit) ? 1 : 0;
