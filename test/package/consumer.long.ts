import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compile, installedPackage, nodeIn, projectWith, runIn } from '../support/packed-package.ts';

const sourceOf = (name: string): string => readFileSync(join(import.meta.dirname, 'consumer', name), 'utf8');
const tsconfig = { 'tsconfig.json': sourceOf('tsconfig.json') };
const sources = ['subscriber.ts', 'reader.ts', 'stack.ts'];

let installed: string;
let project: string;

beforeAll(async () => {
  installed = await installedPackage();
  project = projectWith(installed, {
    ...tsconfig,
    ...Object.fromEntries(sources.map((name) => [name, sourceOf(name)])),
  });
});

describe('in a project that has installed the package', () => {
  it('a subscriber, a reader and a stack compile, and so do the package’s declarations', async () => {
    expect(await compile(project)).toEqual({ code: 0, output: '', errors: '' });
  });

  it('the stack synthesises, with the subscriber’s rule in its own stack', async () => {
    const outdir = join(project, 'assembly');
    const { code, errors } = await nodeIn(project, ['stack.ts'], { environment: { CDK_OUTDIR: outdir } });
    expect([code, errors]).toEqual([0, '']);

    const { Resources } = JSON.parse(readFileSync(join(outdir, 'Subscriber.template.json'), 'utf8'));
    const rules = Object.values<{ Type: string; Properties: object }>(Resources).filter(
      ({ Type }) => Type === 'AWS::Events::Rule',
    );
    expect(rules.map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({
        EventPattern: {
          source: ['callfeed'],
          'detail-type': ['Call Summary Recorded'],
          detail: { call: { status: ['not-answered'] } },
        },
      }),
    ]);
  });

  it('the command line runs', async () => {
    const { code, output } = await runIn(installed, 'npx', ['callfeed', '--help']);

    expect([code, output]).toEqual([0, expect.stringContaining('Usage: callfeed')]);
  });

  it.each(['contract', 'client', 'cdk'])('callfeed/%s can be required from CommonJS', async (entry) => {
    const script = `process.stdout.write(Object.keys(require('callfeed/${entry}')).join())`;

    const { output } = await nodeIn(project, ['--input-type=commonjs', '-e', script]);

    expect(output).toMatch(/parseEvent|createCallfeedClient|CallfeedEvents/);
  });
});

describe('does not compile with', () => {
  const mistakes = [
    ['an unknown field of an event', 'subscriber.ts', 'call.status', 'call.staus', "TS2551: Property 'staus'"],
    ['an unknown type of event', 'subscriber.ts', "=== 'Call Summary", "=== 'Call", 'TS2367: This comparison'],
    ['an unknown field of a row', 'reader.ts', 'agentIds', 'agentId', "TS2551: Property 'agentId'"],
    ['an unknown method of the client', 'reader.ts', 'callfeed.floor', 'callfeed.flor', "TS2551: Property 'flor'"],
    [
      'an unknown table',
      'reader.ts',
      "calls: 'callfeed",
      "call: 'callfeed",
      "TS2561: Object literal may only specify known properties, but 'call'",
    ],
    [
      'an unknown field in a filter',
      'stack.ts',
      '{ status:',
      '{ state:',
      "TS2353: Object literal may only specify known properties, and 'state'",
    ],
    ['an unknown word in a filter', 'stack.ts', 'not-answered', 'not-answred', 'TS2820: Type \'"not-answred"\''],
    ['an unknown setting', 'stack.ts', 'callRetentionDays', 'callRetention', "'callRetention'"],
  ] as const;
  const fileOf = (index: number): string => `mistake-${index}.ts`;
  let errors: readonly string[];

  beforeAll(async () => {
    const files = mistakes.map(([, source, right, mistake], index) => [
      fileOf(index),
      sourceOf(source).replaceAll(right, mistake),
    ]);
    const { output } = await compile(
      projectWith(installed, { ...tsconfig, ...Object.fromEntries(files) }),
      '--skipLibCheck',
    );
    errors = output.split('\n').filter((line) => line.includes('error TS'));
  });

  it.each(mistakes.map((mistake, index) => [...mistake, index] as const))('%s', (...[, , , , error, index]) => {
    expect(errors.filter((line) => line.startsWith(fileOf(index)))).toEqual([expect.stringContaining(error)]);
  });

  it('no other errors', () => {
    expect(errors).toHaveLength(mistakes.length);
  });
});
