import { describe, expect, it } from 'vitest';
import { wireCallFields } from '../lib/call-summary/wire.ts';
import { wireParticipantFields } from '../lib/participant/wire.ts';
import { codeOf, importsOf, isPackage, type SourceFile, sourceFiles } from './lib/support/source-files.ts';

/** A rule: in which files it holds, what in them breaks it, and a file that breaks it, so that the rule can fail. */
interface Rule {
  readonly title: string;
  readonly holdsIn: RegExp;
  readonly broken: (source: SourceFile) => readonly string[];
  readonly planted: SourceFile;
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

const spellings = [...new Set([...wireCallFields, ...wireParticipantFields])].filter(
  (field) => !/^[A-Z][a-z]+$/.test(field),
);

/** Fields that are not plain English words, and words that are the sender's alone. */
const senders = new RegExp(
  String.raw`\b(?:${[...spellings, 'Did', 'DId', 'Apikey', 'ApiKey', 'SubcriberAbsent', 'NotDialed', 'Predective'].join('|')})\b`,
  'g',
);

/** Sentences for people, and the contract's note on where a field comes from. */
const withoutProse = (text: string): string =>
  codeOf(text)
    .replace(/\borigin: '\w+'/g, '')
    .replace(/(['"`])[A-Z](?:(?!\1).)* (?:(?!\1).)*\1/g, '');

const rules: readonly Rule[] = [
  {
    title: 'lib imports itself, zod and node:crypto',
    holdsIn: /^lib\//,
    broken: imports((target) => /^(?:lib\/|zod(?:\/mini|\/locales)?$|node:crypto$)/.test(target)),
    planted: { file: 'lib/x/y.ts', text: "import { readFileSync } from 'node:fs';" },
  },
  {
    title: 'lib asks nobody for the time, for chance, for the environment or for the network',
    holdsIn: /^lib\//,
    broken: code(/\bnew Date\(\)|\bDate\.now\b|\bMath\.random\b|\bprocess\.|\bsetTimeout\b|\bfetch\(|\bconsole\./g),
    planted: { file: 'lib/x.ts', text: 'const now = Date.now();' },
  },
  {
    title: 'adapters import lib, each other and packages',
    holdsIn: /^functions\/adapters\//,
    broken: imports((target) => isPackage(target) || /^(?:lib|functions\/adapters)\//.test(target)),
    planted: { file: 'functions/adapters/x.ts', text: "import { h } from '../publish-changes/handler.ts';" },
  },
  {
    title: 'a function imports lib, adapters, its own folder and packages',
    holdsIn: /^functions\/(?!adapters\/)/,
    broken: imports(
      (target, file) =>
        isPackage(target) || target.startsWith(folderOf(file)) || /^(?:lib|functions\/adapters)\//.test(target),
    ),
    planted: { file: 'functions/a/handler.ts', text: "import type { E } from '../b/env.ts';" },
  },
  {
    title: 'a handler does not know its index, where clients and environment are',
    holdsIn: /^functions\/[^/]+\/(?!index\.ts$)/,
    broken: imports((target) => !/^functions\/[^/]+\/index\.ts$/.test(target)),
    planted: { file: 'functions/a/handler.ts', text: "import { handler } from './index.ts';" },
  },
  {
    title: 'the stack imports itself, lib, what it has to know of the functions, and packages',
    holdsIn: /^cdk\//,
    broken: imports(
      (target) =>
        isPackage(target) || /^(?:lib|cdk)\/|^functions\/(?:[^/]+\/(?:env|routes|ticks)|timeouts)\.ts$/.test(target),
    ),
    planted: { file: 'cdk/constructs/x.ts', text: "import { addresses } from '../../sandbox/addresses.ts';" },
  },
  {
    title:
      'the command line imports itself, lib, the client, adapters and packages: it knows a sandbox by what that tells',
    holdsIn: /^cli\//,
    broken: imports((target) => isPackage(target) || /^(?:cli|lib|client|functions\/adapters)\//.test(target)),
    planted: { file: 'cli/connection/x.ts', text: "import { tableNames } from '../../sandbox/tables.ts';" },
  },
  {
    title: 'the client imports itself, lib, marshalling, timers, zod and what speaks to DynamoDB',
    holdsIn: /^client\//,
    broken: imports((target) =>
      /^(?:client\/|lib\/|functions\/adapters\/marshalling\.ts$|node:timers\/promises$|zod$|@aws-sdk\/client-dynamodb$)/.test(
        target,
      ),
    ),
    planted: { file: 'client/x.ts', text: "import { writeEach } from '../functions/adapters/write-each.ts';" },
  },
  {
    title: 'the client writes nothing down, and asks for the time in one place',
    holdsIn: /^client\/(?!create-callfeed-client\.ts$)/,
    broken: code(/\bnew Date\(\)|\bDate\.now\b|\bconsole\.|\bprocess\.|\bsetTimeout\b/g),
    planted: { file: 'client/floor/x.ts', text: 'const now = new Date();' },
  },
  {
    title: 'the contract’s entry imports itself, lib and zod: who depends on it gets nothing of AWS',
    holdsIn: /^contract\/(?!generate\/)/,
    broken: imports((target) => /^(?:contract\/(?!generate\/)|lib\/|zod$)/.test(target)),
    planted: { file: 'contract/x.ts', text: "import { DynamoDBClient } from '@aws-sdk/client-dynamodb';" },
  },
  {
    title: 'what writes the contract’s page imports the contract, lib, zod and Node',
    holdsIn: /^contract\/generate\//,
    broken: imports((target) => /^(?:contract\/|lib\/|zod$|node:)/.test(target)),
    planted: { file: 'contract/generate/x.ts', text: "import { tableNames } from '../../sandbox/tables.ts';" },
  },
  {
    title: 'only tests import what writes the contract’s page',
    holdsIn: /^(?!contract\/generate\/|test\/)/,
    broken: imports((target) => !target.startsWith('contract/generate/')),
    planted: { file: 'client/x.ts', text: "import { accessPatterns } from '../contract/generate/access-patterns.ts';" },
  },
  {
    title: 'only tests import the command line',
    holdsIn: /^(?!cli\/|test\/)/,
    broken: imports((target) => !target.startsWith('cli/')),
    planted: { file: 'cdk/x.ts', text: "import { Problem } from '../cli/problem.ts';" },
  },
  {
    title: 'only sandbox, bench, torture, end-to-end test and tests import the sandbox',
    holdsIn: /^(?!sandbox\/|bench\/|torture\/|e2e\/|test\/)/,
    broken: imports((target) => !target.startsWith('sandbox/')),
    planted: { file: 'functions/a/index.ts', text: "const { start } = await import('../../sandbox/sandbox.ts');" },
  },
  {
    title:
      'the torture imports itself, what it tries, the sandbox, packages, and of the tests what stands in for the world',
    holdsIn: /^torture\//,
    broken: imports(
      (target) =>
        isPackage(target) ||
        /^(?:torture|lib|functions|sandbox)\//.test(target) ||
        /^test\/(?:lib\/)?(?:support|fixtures)\//.test(target),
    ),
    planted: { file: 'torture/x.ts', text: "import { rows } from '../test/cdk/resources.ts';" },
  },
  {
    title: 'only tests import the torture',
    holdsIn: /^(?!torture\/|test\/)/,
    broken: imports((target) => !target.startsWith('torture/')),
    planted: { file: 'sandbox/x.ts', text: "export { parts } from '../torture/parts.ts';" },
  },
  {
    title: 'only benchmarks and tests import a benchmark',
    holdsIn: /^(?!bench\/|test\/)/,
    broken: imports((target) => !target.startsWith('bench/')),
    planted: { file: 'sandbox/x.ts', text: "export { prices } from '../bench/costs/prices.ts';" },
  },
  {
    title:
      'the end-to-end test knows functions by what they do: it imports itself, lib, the sandbox, ticks and packages',
    holdsIn: /^e2e\//,
    broken: imports(
      (target) => isPackage(target) || /^(?:e2e|lib|sandbox)\/|^functions\/poll-agents\/ticks\.ts$/.test(target),
    ),
    planted: { file: 'e2e/steps/x.ts', text: "import { handler } from '../../functions/poll-agents/index.ts';" },
  },
  {
    title: 'only its own tests import the end-to-end test',
    holdsIn: /^(?!e2e\/|test\/)/,
    broken: imports((target) => !target.startsWith('e2e/')),
    planted: { file: 'sandbox/x.ts', text: "export { until } from '../e2e/runner/until.ts';" },
  },
  {
    title: 'the build of the package imports itself, the code and the names of the functions, lib and packages',
    holdsIn: /^package\//,
    broken: imports(
      (target) =>
        isPackage(target) || /^(?:package|lib)\/|^cdk\/constructs\/code-of\.ts$|^functions\/timeouts\.ts$/.test(target),
    ),
    planted: { file: 'package/x.ts', text: "import { CallfeedStack } from '../cdk/callfeed-stack.ts';" },
  },
  {
    title: 'nothing imports the build of the package: it is a command',
    holdsIn: /^(?!package\/)/,
    broken: imports((target) => !target.startsWith('package/')),
    planted: { file: 'cdk/x.ts', text: "import { bundleFunctions } from '../package/bundle-functions.ts';" },
  },
  {
    title: 'an example imports itself and packages, Callfeed’s as packed among them: so would its users',
    holdsIn: /^examples\//,
    broken: imports((target, file) => isPackage(target) || target.startsWith(folderOf(file))),
    planted: { file: 'examples/wallboard/x.ts', text: "import { createCallfeedClient } from '../../client/index.ts';" },
  },
  {
    title: 'nothing imports an example',
    holdsIn: /^(?!examples\/)/,
    broken: imports((target) => !target.startsWith('examples/')),
    planted: { file: 'test/x.ts', text: "import { screen } from '../examples/wallboard/screen.ts';" },
  },
  {
    title: 'nothing that is deployed or run imports a test',
    holdsIn: /^(?!test\/|bench\/|torture\/)/,
    broken: imports((target) => !target.startsWith('test/')),
    planted: { file: 'sandbox/x.ts', text: "export { demoAccount } from '../test/fixtures/accounts.ts';" },
  },
  {
    title:
      'only the index of a function, the stack, the sandbox, benchmarks, the torture, examples and the starts of MiniStack and command line read the environment',
    holdsIn:
      /^(?!functions\/[^/]+\/index\.ts$|cdk\/|cli\/main\.ts$|sandbox\/|bench\/|torture\/|examples\/|e2e\/ministack\/|test\/)/,
    broken: code(/\bprocess\.env\b|\bimport\.meta\.env\b|['"](?:node:)?process['"]/g),
    planted: { file: 'functions/a/handler.ts', text: 'const name = process.env.BUS_NAME;' },
  },
  {
    title: 'the sender’s spellings are in wire, normalise, identity, vocabularies and, as origins, in model',
    holdsIn: /^lib\/(?![^/]+\/(?:wire|normalise|identity|vocabularies|model)\.ts$)/,
    broken: ({ text }) => withoutProse(text).match(senders) ?? [],
    planted: { file: 'lib/record/x.ts', text: "const id = posted['monitorUCID'] ?? posted.Did;" },
  },
];

const everything = sourceFiles(
  'client',
  'lib',
  'functions',
  'cdk',
  'sandbox',
  'bench',
  'cli',
  'e2e',
  'torture',
  'package',
  'contract',
  'examples',
);

describe.each(rules)('$title', ({ holdsIn, broken, planted }) => {
  const held = everything.filter(({ file }) => holdsIn.test(file));

  it('holds in every file', () => {
    expect(held.length).toBeGreaterThan(0);
    expect(held.flatMap((source) => broken(source).map((what) => `${source.file}: ${what}`))).toEqual([]);
  });

  it('does not hold in a file that breaks it', () => {
    expect(holdsIn.test(planted.file)).toBe(true);
    expect(broken(planted)).not.toEqual([]);
  });
});

describe('the files of lib', () => {
  it('import each other without a circle', () => {
    const graph = new Map(everything.map((source) => [source.file, importsOf(source).filter((to) => !isPackage(to))]));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
      if (done.has(file) || trail.includes(file)) return;
      for (const target of graph.get(file) ?? []) visit(target, [...trail, file]);
      done.add(file);
    };
    for (const { file } of sourceFiles('lib')) visit(file, []);

    expect(circles).toEqual([]);
  });
});
