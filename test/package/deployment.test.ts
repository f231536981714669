import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { checkout, installedPackage, projectWith } from '../support/packed-package.ts';
import { nodeIn } from './support/in-project.ts';

/** An app with the construct, from wherever that comes. */
const appWith = (construct: string): string => `
  import { App, Stack } from 'aws-cdk-lib';
  import { Callfeed } from '${construct}';
  const app = new App({ builtinCloudFormationValidation: false });
  new Callfeed(new Stack(app, 'Deployed'), 'Callfeed');
  app.synth();
`;

/** What CDK would deploy: the template, and every file of every asset by its folder. */
const deployedBy = async (project: string) => {
  const outdir = join(project, 'assembly');
  const { code, errors } = await nodeIn(project, ['app.ts'], { environment: { CDK_OUTDIR: outdir } });
  const template = JSON.parse(readFileSync(join(outdir, 'Deployed.template.json'), 'utf8'));
  const assets = readdirSync(outdir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('index.js'));

  return {
    code,
    errors,
    template,
    assets: new Map(assets.sort().map((file) => [file, readFileSync(join(outdir, file), 'utf8')])),
  };
};

let packed: Awaited<ReturnType<typeof deployedBy>>;
let ours: Awaited<ReturnType<typeof deployedBy>>;

beforeAll(async () => {
  const installed = await installedPackage();
  packed = await deployedBy(projectWith(installed, { 'app.ts': appWith('callfeed/cdk') }));
  ours = await deployedBy(projectWith(installed, { 'app.ts': appWith(join(checkout, 'cdk/index.ts')) }));
}, 300_000);

it('the package deploys without bundling anything', () => {
  expect([packed.code, packed.errors]).toEqual([0, '']);
  expect([ours.code, ours.errors]).toEqual([0, expect.stringContaining('Bundling asset')]);
});

it('the package deploys the very code that a checkout does', () => {
  expect(packed.assets.size).toBe(4);
  expect([...packed.assets.keys()]).toEqual([...ours.assets.keys()]);
  for (const [file, code] of packed.assets) expect(code === ours.assets.get(file), file).toBe(true);
});

it('the package deploys the very resources that a checkout does, by the same ids', () => {
  expect(Object.keys(packed.template.Resources).length).toBeGreaterThan(50);
  expect(packed.template).toEqual(ours.template);
});
