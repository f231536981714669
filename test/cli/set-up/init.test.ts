import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { withSettingsFile } from '../../../cdk/settings/read-settings.ts';
import { StageSettings } from '../../../cdk/settings/settings.ts';
import type { Context } from '../../../cli/frame/command.ts';
import { Problem } from '../../../cli/frame/problem.ts';
import { misfit, ownVersion, upgradeNotes } from '../../../cli/frame/version-fit.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { cli, jsonLines } from '../support/cli-run.ts';
import { stubDeployment } from '../support/local-deployment.ts';

const named = JSON.stringify({ dependencies: { callfeed: 'file:callfeed.tgz' } });

/** A folder with these files, into which npm has installed the package. */
const folderWith = async (files: Readonly<Record<string, string>> = { 'package.json': named }) => {
  const folder = await mkdtemp(join(tmpdir(), 'callfeed-init-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
};
const textIn = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const init = (folder: string, ...args: readonly string[]) => cli(['init', folder, '--no-install', ...args]);

// test/package deploys from such a folder.
describe('callfeed init', () => {
  it('writes settings that a deployment accepts, with a secret of their own', async () => {
    const one = await folderWith();
    const other = await folderWith();
    const chosen = ['--stage', 'dev', '--alarm-email', 'ops@example.com'];
    const { code, output } = await init(one, ...chosen);
    await init(other, ...chosen);

    expect([code, await readdir(one)]).toEqual([0, ['.gitignore', 'callfeed.json', 'cdk.json', 'package.json']]);
    expect(output).toContain('npx cdk deploy');
    const settings = withSettingsFile({ settingsFile: join(one, 'callfeed.json') });
    expect(StageSettings.parse(settings.ok && settings.value)).toMatchObject({
      stage: 'dev',
      alarmEmail: 'ops@example.com',
      callbackSecret: expect.stringMatching(/^[0-9a-f]{48}$/),
    });
    const secretOf = async (folder: string) => JSON.parse(await textIn(folder, 'callfeed.json')).callbackSecret;
    expect(await secretOf(one)).not.toBe(await secretOf(other));
    expect(output).not.toContain(await secretOf(one));
    // Nobody else may read it.
    expect((await stat(join(one, 'callfeed.json'))).mode & 0o777).toBe(0o600);
  });

  it('names pages that are in the package, and no address', async () => {
    const { output } = await init(await folderWith());
    const named = [...output.matchAll(/node_modules\/callfeed\/(\S+)/g)].map(([, page = '']) => page);

    expect(named).toEqual(['docs/configuration.md', 'docs/deploying.md']);
    for (const page of named) expect(existsSync(page)).toBe(true);
    expect(output).not.toContain('http');
  });

  const all = 'node_modules/\ncdk.out/\ncallfeed.json\n';

  it.each([
    ['no .gitignore', undefined, all],
    ['an empty one', '', all],
    ['one of somebody else', '# mine\nnode_modules/\n*.log', '\ncdk.out/\ncallfeed.json\n'],
    ['one of Windows', 'node_modules/\r\ncallfeed.json\r\n', 'cdk.out/\n'],
    ['one with an exception for it', 'callfeed.json\n!callfeed.json\n', all],
    ['one with an exception for all JSON', '*.json\n!*.json\nnode_modules/\n', 'cdk.out/\ncallfeed.json\n'],
    ['one that has all of it', all, ''],
  ])('keeps the secret out of git beside %s', async (_what, before, added) => {
    const folder = await folderWith({ 'package.json': named, ...(before !== undefined && { '.gitignore': before }) });
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    await init(folder);
    execFileSync('git', ['add', '--all'], { cwd: folder });

    expect(execFileSync('git', ['ls-files'], { cwd: folder, encoding: 'utf8' })).not.toMatch(/^callfeed\.json$/m);
    const after = await textIn(folder, '.gitignore');
    expect(after.startsWith(before ?? '')).toBe(true);
    expect(after.slice(before?.length)).toBe(added);
  });

  it.each(['.gitignore', 'package.json', 'callfeed.json', 'cdk.json'])(
    'writes nothing through a link %s',
    async (name) => {
      const folder = await folderWith(name === 'package.json' ? {} : undefined);
      const elsewhere = await folderWith({});
      await symlink(join(elsewhere, 'target'), join(folder, name));
      const before = await readdir(folder);

      expect(await init(folder)).toMatchObject({ code: 1, notes: expect.stringContaining(name) });
      expect([await readdir(folder), await readdir(elsewhere)]).toEqual([before, []]);
    },
  );

  it.each([
    ['--stage', '../../x;$(id)', 'lower-case letters'],
    ['--stage', 'Prod', 'lower-case letters'],
    ['--stage', '', 'lower-case letters'],
    ['--alarm-email', 'nobody', 'one e-mail address'],
  ])('refuses %s %s, and says what is allowed', async (option, value, allowed) => {
    const folder = await folderWith();

    expect(await init(folder, option, value)).toMatchObject({ code: 2, notes: expect.stringContaining(allowed) });
    expect(await readdir(folder)).toEqual(['package.json']);
  });

  const { 'aws-cdk': cdk, 'aws-cdk-lib': library, constructs } = manifest.devDependencies;
  const tested = { 'aws-cdk': cdk, 'aws-cdk-lib': library, constructs };

  it('adds the tested packages to a package.json, so that npm install installs them, and leaves others where they are', async () => {
    const name = 'mine';
    const others = { zod: '4.0.0' };
    const dependencies = { callfeed: '1.0.0' };
    const devDependencies = { callfeed: '1.0.0', constructs: '10.0.0' };
    const both = { dependencies: { ...others, 'aws-cdk': cdk, 'aws-cdk-lib': library } };
    for (const [before, after] of [
      [{ dependencies }, { dependencies: { ...dependencies, ...tested } }],
      [
        { name, dependencies: others, devDependencies },
        { name, ...both, devDependencies: { ...devDependencies, constructs } },
      ],
    ]) {
      const folder = await folderWith({ 'package.json': JSON.stringify(before, null, '\t') });

      expect((await init(folder)).output).toContain('Then: npm install\n');
      expect(JSON.parse(await textIn(folder, 'package.json'))).toEqual(after);
      expect(await textIn(folder, 'package.json')).toContain('\n\t"');
    }
  });

  it('leaves the rest of a package.json as it is, and says which versions it replaced', async () => {
    const before = { devDependencies: { ...tested, 'aws-cdk-lib': '2.1.0', callfeed: '1.0.0' }, name: 'mine' };
    const text = `${JSON.stringify(before, null, 2)}\n`;
    const folder = await folderWith({ 'package.json': text });
    const { output } = await init(folder);

    expect(await textIn(folder, 'package.json')).toBe(text.replace('2.1.0', tested['aws-cdk-lib']));
    expect(output).toContain(`package.json: aws-cdk-lib ${tested['aws-cdk-lib']} replaces 2.1.0.\n`);
    expect(output.match(/ replaces /g)).toHaveLength(1);
  });

  it.each([
    ['no package.json', {}],
    ['one without callfeed: whose name that is at npmjs.com would run code here', { 'package.json': '{}' }],
    ['one that is broken', { 'package.json': '{' }],
  ])('asks to install the package first, where there is %s', async (_what, files) => {
    const folder = await folderWith(files);

    expect(await init(folder)).toMatchObject({ code: 1, output: '', notes: expect.stringContaining('first run') });
    expect(await readdir(folder)).toEqual(Object.keys(files));
  });

  it('says how to go on if npm fails, once the packages are in package.json', async () => {
    const folder = await folderWith();
    const path = await folderWith({});
    await writeFile(join(path, 'npm'), '#!/bin/sh\nexit 7\n', { mode: 0o755 });
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('PATH', `${path}:${process.env['PATH']}`);

    const failed = await cli(['init', folder]);
    expect(failed).toMatchObject({ code: 1, notes: expect.stringContaining('(7). package.json names them') });
    expect(JSON.parse(await textIn(folder, 'package.json'))).toMatchObject({ dependencies: tested });
    vi.stubEnv('PATH', '/nowhere');
    expect((await cli(['init', await folderWith()])).notes).toContain('(ENOENT). package.json names them');
  });

  it.each(['cdk.json', 'callfeed.json'])('changes nothing where there is a %s', async (name) => {
    const folder = await folderWith({ [name]: 'mine' });

    expect(await cli(['init', folder])).toMatchObject({ code: 1, output: '', notes: expect.stringContaining(name) });
    expect(await readdir(folder)).toEqual([name]);
  });

  it('needs a folder that exists', async () => {
    const folder = join(await folderWith(), 'missing');
    const notes = `There is no folder ${folder}. Make it first.\n`;

    expect(await cli(['init', folder])).toMatchObject({ code: 2, notes });
  });
});

const at = (version: string | undefined): Partial<Context> => ({
  connect: async () => ({ ...stubDeployment(), version }),
});

describe('callfeed --version', () => {
  it.each([['--version'], ['-V'], ['version']])('%s prints both versions', async (flag) => {
    expect(await cli([flag, '--stack', 'callfeed-dev'], at('1.2.3'))).toMatchObject({
      code: 0,
      output: `callfeed ${ownVersion}\ncallfeed-dev 1.2.3\n`,
    });
  });

  it('prints JSON', async () => {
    const run = await cli(['--version', '--json'], at(ownVersion));

    expect(jsonLines(run)).toEqual([{ callfeed: ownVersion, deployment: ownVersion }]);
    expect(run.notes).toBe('');
  });

  it('prints its own version where no deployment answers', async () => {
    const connect = () => Promise.reject(new Problem('There is no stack.'));
    const { code, output, notes } = await cli(['--version'], { connect });

    expect([code, output]).toEqual([0, `callfeed ${ownVersion}\n`]);
    expect(notes).toBe('The version of the deployment is not known. There is no stack.\n');
  });

  it('says of a deployment that names no version which ones do not', async () => {
    expect((await cli(['--version'], at(undefined))).output).toContain('callfeed-prod before 1.0.0\n');
  });
});

it('every command says where it does not fit the deployment', async () => {
  const { notes } = await cli(['dead-letters', 'list', 'parked'], at('999.0.0'));

  expect(notes).toContain(misfit(ownVersion, '999.0.0'));
});

it.each([
  ['the same', '1.2.3', '1.2.3', true],
  ['an older deployment of the same major version', '1.2.0', '1.1.9', true],
  ['a newer patch', '1.2.0', '1.2.1', false],
  ['a newer minor version', '1.9.0', '1.10.0', false],
  ['an older major version', '2.0.0', '1.9.0', false],
  ['a newer major version', '1.9.0', '2.0.0', false],
  ['no version', '1.0.0', 'main', true],
])('%s: a command line %s and a deployment %s', (_what, own, deployed, fits) => {
  expect(misfit(own, deployed) === undefined).toBe(fits);
});

it.each([
  ['1.2.3', '1.2.3', undefined],
  ['1.2.3', '1.2.4', undefined],
  ['1.9.0', '2.0.0', undefined],
  ['2.1.0', '2.0.9', 'docs/upgrading.md'],
  ['2.0.0', '1.9.0', 'docs/upgrading.md#from-1-to-2'],
  ['3.0.0', '1.9.0', 'docs/upgrading.md#from-1-to-2'],
  ['3.0.0', '0.9.0', 'docs/upgrading.md#from-before-100'],
  ['2.0.0', undefined, 'docs/upgrading.md#from-before-100'],
  ['2.0.0', 'main', undefined],
])('a command line %s names for a deployment %s the notes %s', (own, deployed, notes) => {
  expect(upgradeNotes(own, deployed)).toBe(notes);
  if (deployed !== undefined && notes?.includes('#'))
    expect(misfit(own, deployed)).toContain(`Upgrade the deployment; ${notes} says`);
});
