import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withSettingsFile } from '../../../cdk/settings/read-settings.ts';
import { StageSettings } from '../../../cdk/settings/settings.ts';
import { cli } from '../support/cli-run.ts';

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
