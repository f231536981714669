import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wireCallFields, wireParticipantFields } from '../lib/telephony/call-fields.ts';
import { functionEdges } from '../vitest.config.ts';
import { codeOf, importsOf, isPackage, type SourceFile, sourceFiles } from './support/repository-files.ts';

/** A rule: the files it holds in, what breaks it there, and a file that breaks it, so that the rule can fail. */
interface Rule {
  readonly holdsIn: RegExp;
  readonly broken: (source: SourceFile) => readonly string[];
  readonly breach: SourceFile;
}

const imports =
  (isAllowed: (target: string, file: string) => boolean) =>
  (source: SourceFile): readonly string[] =>
    importsOf(source).filter((target) => !isAllowed(target, source.file));

const code =
  (pattern: RegExp) =>
  ({ text }: SourceFile): readonly string[] =>
    codeOf(text).match(pattern) ?? [];

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1);

/** The folders of lib, lowest first: each imports itself and those before it. */
const layers =
  'core storage telephony telemetry accounts service calls agents callback recordings contract publish'.split(' ');

const layerOf = (file: string): number => layers.indexOf(file.split('/')[1] ?? '');

/** What a function decides is pure, as lib is: these files alone reach AWS, the network, files and the process. */
const edges = `(?:adapters/.*|receive-callback/environment|.*/(?:${functionEdges.join('|')}))`;

/** The sender's field names that are no plain English words, and words that only the sender uses. */
const fieldNames = [...new Set([...wireCallFields, ...wireParticipantFields])].filter(
  (field) => !/^[A-Z][a-z]+$/.test(field),
);
const senderWords = new RegExp(
  String.raw`\b(?:${[...fieldNames, 'Did', 'DId', 'Apikey', 'ApiKey', 'SubcriberAbsent', 'NotDialed', 'Predective'].join('|')})\b`,
  'g',
);

/** Without sentences for people, and without the contract's notes on where a field comes from. */
const withoutProse = (text: string): string =>
  codeOf(text)
    .replace(/\borigin: '\w+'/g, '')
    .replace(/(['"`])[A-Z](?:(?!\1).)* (?:(?!\1).)*\1/g, '');

const rules: Readonly<Record<string, Rule>> = {
  'a folder of lib imports itself and the folders below it': {
    holdsIn: /^lib\//,
    broken: imports((target, file) => isPackage(target) || (layerOf(target) >= 0 && layerOf(target) <= layerOf(file))),
    breach: { file: 'lib/core/x.ts', text: "import type { Delivery } from '../calls/delivery.ts';" },
  },
  'lib and what a function decides use no packages but zod and node:crypto, in one file DynamoDB’s JSON, and in one telephone numbers':
    {
      holdsIn: new RegExp(`^lib/|^functions/(?!${edges}\\.ts$)`),
      broken: imports(
        (target, file) =>
          /^(?:lib\/|functions\/(?:[\w-]+\/|limits\.ts$)|zod(?:\/mini|\/locales|\/v4\/core)?$|node:crypto$)/.test(
            target,
          ) ||
          (file === 'lib/storage/rows.ts' && /^@aws-sdk\/(?:client|util)-dynamodb$/.test(target)) ||
          (file === 'lib/telephony/e164.ts' && target === 'libphonenumber-js/max/es6'),
      ),
      breach: { file: 'lib/core/x.ts', text: "import { readFileSync } from 'node:fs';" },
    },
  'lib and what a function decides take time, randomness, environment and network as arguments': {
    holdsIn: new RegExp(`^lib/(?!core/encoding\\.ts$)|^functions/(?!${edges}\\.ts$)`),
    broken: code(/\bnew Date\(\)|\bDate\.now\b|\bMath\.random\b|\bprocess\.|\bsetTimeout\b|\bfetch\(|\bconsole\./g),
    breach: { file: 'lib/core/x.ts', text: 'const now = Date.now();' },
  },
  'compression gets its module, and uses nothing else of the process': {
    holdsIn: /^lib\/core\/encoding\.ts$/,
    broken: code(
      /\bnew Date\(\)|\bDate\.now\b|\bMath\.random\b|\bprocess\.(?!getBuiltinModule\('node:zlib'\))|\bsetTimeout\b|\bfetch\(|\bconsole\./g,
    ),
    breach: { file: 'lib/core/encoding.ts', text: "const name = process.env['BUS_NAME'];" },
  },
  'the client uses zod, timers and the DynamoDB client besides lib': {
    holdsIn: /^client\//,
    broken: imports((target) =>
      /^(?:client\/|lib\/|node:timers\/promises$|zod\/(?:mini|v4\/core)$|@aws-sdk\/client-dynamodb$)/.test(target),
    ),
    breach: { file: 'client/x.ts', text: "import { writeEach } from '../../functions/adapters/x.ts';" },
  },
  'the client logs nothing, and reads the clock in one file': {
    holdsIn: /^client\/(?!client\.ts$)/,
    broken: code(/\bnew Date\(\)|\bDate\.now\b|\bconsole\.|\bprocess\.|\bsetTimeout\b/g),
    breach: { file: 'client/x.ts', text: 'const now = new Date();' },
  },
  'only telephony, the normalisers, what identifies records, and the schemas know the sender’s spellings': {
    holdsIn:
      /^(?:functions|cli\/(?:erase|quarantine|renormalise|replay))\/(?!reconcile-calls\/reported-fields\.ts$)|^lib\/(?!telephony\/|calls\/(?:normalise-\w+|identify-records|schema)\.ts$|agents\/normalise-agent\.ts$)/,
    broken: ({ text }) => withoutProse(text).match(senderWords) ?? [],
    breach: { file: 'lib/calls/x.ts', text: "const id = posted['monitorUCID'] ?? posted.Did;" },
  },
  'adapters import lib, each other and packages': {
    holdsIn: /^functions\/adapters\//,
    broken: imports((target) => isPackage(target) || /^(?:lib\/|functions\/adapters\/)/.test(target)),
    breach: { file: 'functions/adapters/x.ts', text: "import { createHandler } from '../publish-changes/app.ts';" },
  },
  'a function imports lib, adapters, its own folder and packages': {
    holdsIn: /^functions\/(?!adapters\/)/,
    broken: imports(
      (target, file) =>
        isPackage(target) || target.startsWith(folderOf(file)) || /^(?:lib\/|functions\/adapters\/)/.test(target),
    ),
    breach: { file: 'functions/a/app.ts', text: "import type { E } from '../b/env.ts';" },
  },
  'only the entry point of a function imports its environment and clients': {
    holdsIn: /^functions\/[^/]+\/(?!index\.ts$)/,
    broken: imports((target) => !/^functions\/[^/]+\/index\.ts$/.test(target)),
    breach: { file: 'functions/a/app.ts', text: "import { handler } from './index.ts';" },
  },
  'the stack imports itself, lib, packages, and of the functions what no entry point is': {
    holdsIn: /^cdk\//,
    broken: imports(
      (target) => isPackage(target) || /^(?:lib\/|cdk\/)|^functions\/(?![\w-]+\/(?:app|index)\.ts$)/.test(target),
    ),
    breach: {
      file: 'cdk/constructs/x.ts',
      text: "import { handler } from '../../functions/poll-agents/index.ts';",
    },
  },
  'the command line imports itself, the client, lib, packages, and of the functions what no entry point is': {
    holdsIn: /^cli\//,
    broken: imports(
      (target) => isPackage(target) || /^(?:cli|client|lib)\/|^functions\/(?![\w-]+\/(?:app|index)\.ts$)/.test(target),
    ),
    breach: { file: 'cli/frame/x.ts', text: "import { tableNames } from '../../sandbox/local-aws.ts';" },
  },
  'the generator of the contract’s page imports itself, lib, the client, the SQL of analytics, the tests’ driver, the commands, Node, zod, the tables of numbers and the version':
    {
      holdsIn: /^docs\/contract\//,
      // A program that the page shows imports the package and the SDK.
      broken: imports((target) =>
        /^(?:docs\/contract\/|lib\/|client\/|functions\/transform-events\/(?!app|index)[\w-]+\.ts$|test\/(?:deployment\/index|fixtures\/accounts)\.ts$|cli\/(?:frame\/(?:command|options)|program)\.ts$|package\.json$|zod$|libphonenumber-js\/|node:|callfeed\/|@aws-sdk\/client-dynamodb$)/.test(
          target,
        ),
      ),
      breach: { file: 'docs/contract/x.ts', text: "import { tableNames } from '../../sandbox/local-aws.ts';" },
    },
  'an example imports itself and packages, as its users do': {
    holdsIn: /^docs\/examples\//,
    broken: imports((target, file) => isPackage(target) || target.startsWith(folderOf(file))),
    breach: {
      file: 'docs/examples/a/x.ts',
      text: "import { createCallfeedClient } from '../../../client/index.ts';",
    },
  },
  'the page of the console, and the filters and ranges that it shares with its server and the command line, import themselves, its packages, pure rules of lib, the client’s declarations of figures, and types of the console’s answers':
    {
      holdsIn: /^cli\/(?:console\/(?:page\/|call-range\.ts$)|calls\/(?:call-filters|set-filters|wait-answer)\.ts$)/,
      broken: (source) =>
        imports((target) =>
          /^(?:cli\/(?:console\/(?:page\/|call-range\.ts$)|calls\/(?:call-filters|set-filters|wait-answer)\.ts$)|client\/(?:call|compared|shown)-figures\.ts$|lib\/(?:contract\/(?:rules|call-counts)|core\/(?:collections|command-text|time))\.ts$|lib\/telephony\/vocabularies\.ts$|preact(?:\/|$))/.test(
            target,
          ),
        )({ ...source, text: source.text.replace(/^import type [^;]*;$/gm, '') }),
      breach: { file: 'cli/console/page/x.tsx', text: "import { readFileSync } from 'node:fs';" },
    },
  'the page of the console puts texts into the page as text only': {
    holdsIn: /^cli\/console\/page\//,
    broken: code(/\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcdoc|document\.write|eval)\b/g),
    breach: { file: 'cli/console/page/x.tsx', text: 'element.innerHTML = name;' },
  },
  'a command that is shown is made of its arguments by commandText': {
    holdsIn: /^(?:cli|sandbox|lib)\//,
    // What follows `$ ` is an example of the help, without a value of somebody else.
    broken: code(/(?<!\$ )\b(?:npx|curl|aws|callfeed) [\w-][^\n]*\$\{.*|\bnpx callfeed\b(?=.*[{}]).*/g),
    breach: { file: 'cli/x.ts', text: 'terminal.note(`Run npx callfeed calls --account $' + '{account}`);' },
  },
  'the sandbox imports itself, lib, functions, packages, and the console that it serves': {
    holdsIn: /^sandbox\//,
    broken: imports(
      (target) =>
        isPackage(target) || /^(?:sandbox|lib|functions)\/|^cli\/(?:console\/serve|features)\.ts$/.test(target),
    ),
    breach: { file: 'sandbox/x.ts', text: "import { connect } from '../cli/frame/connect.ts';" },
  },
  'only tests import tests, and only the command line imports the command line': {
    // What pages show is what the tests' driver made of the example posts, and the help of the commands.
    holdsIn: /^(?!cli\/|test\/|docs\/contract\/(?:examples|commands)\.ts$|sandbox\/gateway\.ts$)/,
    broken: imports((target) => !/^(?:test|cli)\//.test(target)),
    breach: { file: 'cdk/x.ts', text: "import { must } from '../test/faults/property.ts';" },
  },
  'fault injection imports itself, the driver, lib, functions, the sandbox, what changes rows, packages and the support of tests':
    {
      holdsIn: /^test\/faults\//,
      broken: imports(
        (target) =>
          isPackage(target) ||
          /^(?:test\/(?:faults|deployment|support|fixtures)|lib|functions|sandbox|cli\/(?:erase|quarantine|renormalise|replay))\//.test(
            target,
          ),
      ),
      breach: { file: 'test/faults/x.ts', text: "import { rows } from '../cdk/support/template.ts';" },
    },
  'the test on an emulated AWS knows functions by what they do: it imports itself, lib, the sandbox, ticks, what other teams use, recorded releases, and how to run programs':
    {
      holdsIn: /^test\/end-to-end\/deployed\//,
      broken: imports(
        (target) =>
          isPackage(target) ||
          /^(?:test\/end-to-end\/deployed|lib|sandbox)\/|^functions\/(?:poll-agents\/ticks|reconcile-calls\/reconcile-calls)\.ts$/.test(
            target,
          ) ||
          /^cdk\/index\.ts$|^docs\/contract\/access-patterns\.ts$/.test(target) ||
          /^test\/(?:support\/(?:repository-files|process-tree)|upgrade\/releases)\.ts$/.test(target),
      ),
      breach: {
        file: 'test/end-to-end/deployed/x.ts',
        text: "import { h } from '../../../functions/poll-agents/index.ts';",
      },
    },
  'only entry points, the receiver’s clock of zones, the stack, the sandbox and tests read the environment': {
    holdsIn:
      /^(?!functions\/[^/]+\/index\.ts$|functions\/receive-callback\/environment\.ts$|cdk\/|cli\/main\.ts$|sandbox\/|docs\/examples\/|test\/)/,
    broken: code(/\bprocess\.env\b|\bimport\.meta\.env\b|['"](?:node:)?process['"]/g),
    breach: { file: 'functions/a/app.ts', text: 'const name = process.env.BUS_NAME;' },
  },
};

const everything = sourceFiles('lib', 'functions', 'client', 'cdk', 'cli', 'sandbox', 'docs', 'test');

describe.each(Object.entries(rules))('%s', (_title, { holdsIn, broken, breach }) => {
  const held = everything.filter(({ file }) => holdsIn.test(file));

  it('in every file', () => {
    expect(held.length).toBeGreaterThan(0);
    expect(held.flatMap((source) => broken(source).map((what) => `${source.file}: ${what}`))).toEqual([]);
  });

  it('and is broken by a file that does otherwise', () => {
    expect(holdsIn.test(breach.file)).toBe(true);
    expect(broken(breach)).not.toEqual([]);
  });
});

describe('the files of lib', () => {
  it('import each other without a cycle', () => {
    const graph = new Map(everything.map((source) => [source.file, importsOf(source).filter((to) => !isPackage(to))]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
      if (done.has(file) || trail.includes(file)) return;
      for (const target of graph.get(file) ?? []) visit(target, [...trail, file]);
      done.add(file);
    };
    for (const { file } of sourceFiles('lib')) visit(file, []);

    expect(cycles).toEqual([]);
  });
});

describe('the lockfile', () => {
  interface Locked {
    readonly integrity?: string;
    readonly link?: boolean;
    readonly inBundle?: boolean;
    readonly hasInstallScript?: boolean;
  }
  const { packages }: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  );
  const installed = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'));
  const named = (isSuch: (one: Locked) => unknown) => installed.filter(([, one]) => isSuch(one)).map(([path]) => path);

  it('has a hash of everything that is installed: what is no link comes with one, or within a package that has one', () => {
    expect(named(({ integrity, link, inBundle }) => !(integrity || link || inBundle))).toEqual([]);
  });

  it('lets one package run a script, which could install more: esbuild checks its own program', () => {
    expect(named(({ hasInstallScript }) => hasInstallScript)).toEqual(['node_modules/esbuild']);
  });
});
