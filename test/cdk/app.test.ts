import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callfeed-app-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

const runApp = (outdir: string, context: object) =>
  promisify(execFile)(process.execPath, ['cdk/app.ts'], {
    env: { ...process.env, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) },
  });

it('stops before synthesis at invalid settings of file and context: a sentence a line, no stack trace', async () => {
  const [folder, outdir] = [await newFolder(), await newFolder()];
  const settingsFile = join(folder, 'settings.json');
  await writeFile(settingsFile, '{"callRetentionDays": 0}');
  const context = { settingsFile, timeZone: 'Asia/Atlantis', callbackSecret: 'short-SENTINEL' };

  await expect(runApp(outdir, context)).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: [
      'callRetentionDays must be a whole number of days from 1 to 3650.',
      'timeZone must be an IANA time zone such as Asia/Kolkata or Europe/London.',
      'callbackSecret must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~.',
      '',
    ].join('\n'),
  });
  expect(await readdir(outdir)).toEqual([]);
});

it.each([
  ['no settings', {}],
  ['all that adds resources', { subscriberAccounts: '111122223333', alarmEmail: 'ops@example.com', stage: 'test' }],
])('synthesises with %s and prints nothing, not even a deprecation', async (_what, settings) => {
  const outdir = await newFolder();
  const context = { ...cdkJson.context, ...settings, settingsFile: '', 'aws:cdk:bundling-stacks': [] };

  expect(await runApp(outdir, context)).toEqual({ stdout: '', stderr: '' });
  expect(await readdir(outdir)).toContain('manifest.json');
});
