import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compile, installedPackage, nodeIn, projectWith, runIn } from '../support/packed-package.ts';

const sourceOf = (name: string): string => readFileSync(join(import.meta.dirname, 'consumer', name), 'utf8');
const sources = ['programs.ts', 'stack.ts', 'tsconfig.json'];

let installed: string;
let project: string;

beforeAll(async () => {
  installed = await installedPackage();
  project = projectWith(installed, Object.fromEntries(sources.map((name) => [name, sourceOf(name)])));
});

describe('in a project that has installed the package', () => {
  it('a subscriber, a reader and a stack compile without mistakes alone, and so do the package’s declarations', async () => {
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
