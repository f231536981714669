import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonSchemas } from '../../docs/contract/schemas.ts';
import { timeoutSeconds } from '../../functions/limits.ts';
import manifest from '../../package.json' with { type: 'json' };
import { configurations, switchedOn } from '../cdk/support/configurations.ts';
import { checkout, installedPackage, nodeIn, projectWith } from '../support/packed-package.ts';

let installed: string;
let folder: string;

beforeAll(async () => {
  installed = await installedPackage();
  folder = join(installed, 'node_modules/callfeed');
});

const files = () =>
  globSync('**/*.*', { cwd: folder, exclude: ['node_modules'] }).map((file) => file.split(sep).join('/'));

const installation = (): { readonly names: readonly string[]; readonly stderr: string } =>
  JSON.parse(readFileSync(join(installed, '../installed.json'), 'utf8'));

describe('the package', () => {
  it('has no sources, tests or sandbox, but the examples', () => {
    const others = files().filter((file) => !/^(?:docs|sandbox)\/examples\//.test(file));
    expect(others.filter((file) => /(?<!\.d)\.ts$|^(?:dist\/)?(?:test|sandbox)\//.test(file))).toEqual([]);
    // What is not released yet has change sets, to which the page on upgrading leads.
    const pending = globSync('.changeset/*.md').length > 0 ? ['.changeset'] : [];
    expect(readdirSync(folder).sort()).toEqual([
      ...pending,
      ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'],
      ...['cdk', 'cli', 'dist', 'docs', 'package.json', 'python', 'sandbox'],
    ]);
    expect(files().filter((file) => /^cdk\/|cdk\.out|__pycache__/.test(file))).toEqual([
      'cdk/deployment-policy.json',
      'cdk/permissions-boundary.json',
    ]);
  });

  it('has whatever its pages link to', () => {
    const pages = files().filter((file) => file.endsWith('.md'));
    const targets = pages.flatMap((page) =>
      [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)\s#]+)[^)\s]*\)/g)].map(
        ([, path = '']) => join(folder, dirname(page), path),
      ),
    );

    expect(targets.length).toBeGreaterThan(200);
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });

  it('has a command line that refuses an older Node than the package', () => {
    const oldest = manifest.engines.node.replace('>=', '').replace('.', ', ');

    expect(readFileSync(join(folder, 'cli/callfeed.js'), 'utf8')).toContain(`oldestNode = [${oldest}]`);
  });

  it('installs without a warning', () => {
    // npm warns of settings of this machine that it does not know.
    const warnings = installation()
      .stderr.split('\n')
      .filter((line) => !/^npm warn Unknown|^$/.test(line));

    expect(warnings).toEqual([]);
  });

  it.each([
    'README.md',
    'CONTRIBUTING.md',
    'docs/consuming.md',
    'docs/contract.md',
    'docs/deploying.md',
    'docs/sandbox.md',
  ])('%s names the oldest Node that it runs on', (page) => {
    const text = readFileSync(join(folder, page), 'utf8');
    const named = [...text.matchAll(/Node (\d+(?:\.\d+)?)(?= or later|,? (?:and )?Java)/g)].map(
      ([, version]) => `>=${version}`,
    );

    expect([...new Set(named)]).toEqual([manifest.engines.node]);
  });

  it('has types with comments for every entry', () => {
    for (const { types, default: code } of [
      manifest.exports['./contract'],
      manifest.exports['./client'],
      manifest.exports['./cdk'],
    ]) {
      expect(files()).toEqual(expect.arrayContaining([types, code].map((file) => file.replace('./', ''))));
    }
    expect(readFileSync(join(folder, 'dist/lib/contract/parse-event.d.ts'), 'utf8')).toContain(
      '@throws {NotACallfeedEvent}',
    );
    expect(readFileSync(join(folder, 'dist/cdk/subscriptions.d.ts'), 'utf8')).toContain('@example');
  });

  it('has the bundle of every function', () => {
    expect(
      files()
        .filter((file) => file.startsWith('dist/bundles/'))
        .sort(),
    ).toEqual(
      Object.keys(timeoutSeconds)
        .map((name) => `dist/bundles/${name}/index.js`)
        .sort(),
    );
  });

  it('has a JSON Schema of every event, row and input', () => {
    const written = files().filter((file) => file.startsWith('docs/schemas/') && file.endsWith('.json'));

    expect(written.sort()).toEqual([...jsonSchemas().keys()].map((path) => `docs/${path}`).sort());
  });

  it('has the SQL of the questions', () => {
    expect(files()).toContain('dist/functions/transform-events/questions.sql');
  });

  it('imports only packages that npm installs with it, and the optional CDK', () => {
    const imported = files()
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/from '([^.'][^']*)'/g)])
      .map(([, target = '']) =>
        target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => !name.startsWith('node:'));
    const declared = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];

    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((name) => !declared.includes(name))).toEqual([]);
  });

  it('installs no CDK in a project that does not have it', () => {
    const { names } = installation();

    expect(names).toContain('zod');
    expect(names.filter((name) => ['aws-cdk-lib', 'constructs', 'esbuild', 'typescript'].includes(name))).toEqual([]);
  });
});

/** The sizes that docs/consuming.md states for an entry, in bytes: minified, and gzipped. */
const stated = (entry: string): readonly number[] => {
  const [, minified, gzipped] =
    new RegExp(`^\\| \`${entry}\` .* (\\d+) KB \\((\\d+) KB\\)`, 'm').exec(readFileSync('docs/consuming.md', 'utf8')) ??
    [];
  return [Number(minified) * 1_000, Number(gzipped) * 1_000];
};

/** Bundles a whole entry as a subscriber would for Lambda, without the `external` packages: what is inside, and its sizes. */
const bundledEntry = async (project: string, entry: string, external: readonly string[] = []) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export * from '${entry}';`, resolveDir: project },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    external: [...external],
    logLevel: 'silent',
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  const packages = Object.keys(metafile.inputs).flatMap((file) => packageOf(file) ?? []);

  return { packages: [...new Set(packages)].sort(), bytes: contents.length, gzippedBytes: gzipSync(contents).length };
};

const packageOf = (file: string): string | undefined => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];

describe('a bundle of', () => {
  it.each([
    ['callfeed/contract', [], ['callfeed', 'zod']],
    ['callfeed/client', ['@aws-sdk/*'], ['callfeed', 'libphonenumber-js', 'zod']],
  ])('%s has the documented size, and nothing else inside', async (entry, external, inside) => {
    const { packages, bytes, gzippedBytes } = await bundledEntry(installed, entry, external);

    expect(packages).toEqual(inside);
    for (const [index, size] of [bytes, gzippedBytes].entries()) {
      expect(size / Number(stated(entry)[index]), `${size} bytes`).toBeGreaterThan(0.97);
      expect(size / Number(stated(entry)[index]), `${size} bytes`).toBeLessThan(1.03);
    }
  });

  it('callfeed/client has the DynamoDB client inside, and no other AWS client', async () => {
    const { packages } = await bundledEntry(installed, 'callfeed/client');

    expect(packages).toContain('@aws-sdk/client-dynamodb');
    expect(packages.filter((name) => /^aws-cdk-lib|^constructs|^commander|client-(?!dynamodb)/.test(name))).toEqual([]);
  });
});

/** An app with the construct, imported from this module. */
const appWith = (construct: string): string => `
  import { App, Stack } from 'aws-cdk-lib';
  import { Callfeed } from '${construct}';
  const app = new App({ builtinCloudFormationValidation: false });
  new Callfeed(new Stack(app, 'Deployed'), 'Callfeed');
  app.synth();
`;

/** What CDK would deploy: the template, and every file of every asset by its folder. */
const synthesised = async (project: string) => {
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

let packed: Awaited<ReturnType<typeof synthesised>>;
let ofCheckout: Awaited<ReturnType<typeof synthesised>>;

beforeAll(async () => {
  const installed = await installedPackage();
  packed = await synthesised(projectWith(installed, { 'app.ts': appWith('callfeed/cdk') }));
  ofCheckout = await synthesised(projectWith(installed, { 'app.ts': appWith(join(checkout, 'cdk/index.ts')) }));
});

it('the package deploys without bundling anything', () => {
  expect([packed.code, packed.errors]).toEqual([0, '']);
  expect([ofCheckout.code, ofCheckout.errors]).toEqual([0, expect.stringContaining('Bundling asset')]);
});

it('the package deploys a stage from the folder that callfeed init made', async () => {
  const manifestOfFolder = JSON.stringify({ type: 'module', dependencies: { callfeed: 'file:callfeed.tgz' } });
  const project = projectWith(await installedPackage(), { 'package.json': manifestOfFolder });
  const initialised = await nodeIn(project, ['node_modules/callfeed/cli/callfeed.js', 'init', '--no-install']);
  const { app } = JSON.parse(readFileSync(join(project, 'cdk.json'), 'utf8'));
  const outdir = join(project, 'cdk.out');
  const deployed = await nodeIn(project, app.split(' ').slice(1), { environment: { CDK_OUTDIR: outdir } });

  expect([initialised.code, deployed.code, deployed.errors]).toEqual([0, 0, '']);
  const { Outputs } = JSON.parse(readFileSync(join(outdir, 'callfeed-prod.template.json'), 'utf8'));
  expect(Outputs).toMatchObject({ Version: { Value: manifest.version }, CallbackUrl: {} });
});

it('the package deploys the same code as a checkout', () => {
  expect(packed.assets.size).toBe(4);
  expect([...packed.assets.keys()]).toEqual([...ofCheckout.assets.keys()]);
  for (const [file, code] of packed.assets) expect(code === ofCheckout.assets.get(file), file).toBe(true);
});

it('the package deploys the same template as a checkout', () => {
  expect(Object.keys(packed.template.Resources).length).toBeGreaterThan(50);
  expect(packed.template).toEqual(ofCheckout.template);
});

/** The template of a stage as `cdk synth` makes it in a folder, without the hashes of code: the command passes on the folder's own context. */
const stageFrom = async (folder: string, app: readonly string[], settings: object) => {
  const { context = {} } = JSON.parse(readFileSync(join(folder, 'cdk.json'), 'utf8'));
  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-stage-'));
  const given = { ...context, settingsFile: '', 'aws:cdk:bundling-stacks': [], ...settings };
  const environment = { CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(given), CDK_VALIDATION: 'false' };
  const { code, errors } = await nodeIn(folder, app, { environment });
  expect([code, errors]).toEqual([0, '']);

  const [file = ''] = readdirSync(outdir).filter((name) => name.endsWith('.template.json'));
  return JSON.parse(readFileSync(join(outdir, file), 'utf8').replaceAll(/\b[0-9a-f]{64}\b/g, 'hash'));
};

const ofCheckoutStage = ['--input-type=module', '-e', "(await import('./cdk/callfeed-stack.ts')).deployStage()"];

it.each(Object.entries({ ...configurations, 'everything without a key': { ...switchedOn, dashboard: 'on' } }))(
  'a stage with %s has the same template from the package as from a checkout',
  async (_variant, settings) => {
    const manifestOfFolder = JSON.stringify({ type: 'module', dependencies: { callfeed: 'file:callfeed.tgz' } });
    const project = projectWith(await installedPackage(), { 'package.json': manifestOfFolder });
    await nodeIn(project, ['node_modules/callfeed/cli/callfeed.js', 'init', '--no-install']);
    const { app } = JSON.parse(readFileSync(join(project, 'cdk.json'), 'utf8'));
    const [fromPackage, fromCheckout] = await Promise.all([
      stageFrom(project, app.split(' ').slice(1), settings),
      stageFrom(checkout, ofCheckoutStage, settings),
    ]);

    expect(Object.keys(fromPackage.Resources).length).toBeGreaterThan(40);
    expect(fromPackage).toEqual(fromCheckout);
  },
);
