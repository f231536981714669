import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withSettingsFile } from '../../../cdk/settings/read-settings.ts';
import { StageSettings } from '../../../cdk/settings/settings.ts';
import { misfit, ownVersion } from '../../../cli/commands/version.ts';
import type { Context } from '../../../cli/context.ts';
import { Problem } from '../../../cli/problem.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { stubDeployment } from '../support/local-deployment.ts';

const emptyFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callfeed-init-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

// test/package deploys from such a folder.
describe('callfeed init', () => {
  it('writes settings that a deployment accepts, with a secret of their own', async () => {
    const [one, other] = [await emptyFolder(), await emptyFolder()];
    const chosen = ['--stage', 'dev', '--alarm-email', 'ops@example.com'];
    const { code, output } = await cli(['init', one, '--no-install', ...chosen]);
    await cli(['init', other, '--no-install', ...chosen]);

    expect([code, await readdir(one)]).toEqual([0, ['.gitignore', 'callfeed.json', 'cdk.json', 'package.json']]);
    expect(output).toContain('npx cdk deploy');
    const settings = withSettingsFile({ settingsFile: join(one, 'callfeed.json') });
    expect(StageSettings.parse(settings.ok && settings.value)).toMatchObject({
      stage: 'dev',
      alarmEmail: 'ops@example.com',
      callbackSecret: expect.stringMatching(/^[0-9a-f]{48}$/),
    });
    const secretOf = async (folder: string) => JSON.parse(await readFile(join(folder, 'callfeed.json'), 'utf8'));
    expect((await secretOf(one)).callbackSecret).not.toBe((await secretOf(other)).callbackSecret);
    expect(output).not.toContain((await secretOf(one)).callbackSecret);
  });

  it.each([
    ['callfeed', { dependencies: { callfeed: 'file:callfeed.tgz' } }, 'Then: npm install --save-exact aws-cdk@'],
    ['other packages only', { dependencies: {} }, 'Then: npm install --save-exact callfeed@'],
  ])('leaves a package.json with %s as it is', async (_what, manifest, installation) => {
    const folder = await emptyFolder();
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));

    expect((await cli(['init', folder, '--no-install'])).output).toContain(installation);
    expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).toEqual(manifest);
  });

  it.each(['cdk.json', 'callfeed.json'])('changes nothing where there is a %s', async (name) => {
    const folder = await emptyFolder();
    await writeFile(join(folder, name), 'mine');

    expect(await cli(['init', folder])).toMatchObject({ code: 1, output: '', notes: expect.stringContaining(name) });
    expect(await readdir(folder)).toEqual([name]);
  });

  it('needs a folder that exists', async () => {
    const folder = join(await emptyFolder(), 'missing');

    expect(await cli(['init', folder])).toMatchObject({
      code: 2,
      notes: `There is no folder ${folder}. Make it first.\n`,
    });
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
  const { notes } = await cli(['parked', 'list'], at('999.0.0'));

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
