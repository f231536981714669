import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };

it('stops before synthesis at wrong settings, with a sentence a line and no stack trace, and writes nothing', async () => {
  const outdir = await mkdtemp(join(tmpdir(), 'callfeed-app-'));
  onTestFinished(() => rm(outdir, { recursive: true }));
  const context = { callRetentionDays: '0', timeZone: 'Asia/Atlantis', callbackSecret: 'short-SENTINEL' };

  const run = promisify(execFile)(process.execPath, ['cdk/app.ts'], {
    env: { ...process.env, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) },
  });

  await expect(run).rejects.toMatchObject({
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
])('synthesises with %s without a word, of deprecation least of all', async (_what, settings) => {
  const outdir = await mkdtemp(join(tmpdir(), 'callfeed-app-'));
  onTestFinished(() => rm(outdir, { recursive: true }));
  const context = { ...cdkJson.context, ...settings, settingsFile: '', 'aws:cdk:bundling-stacks': [] };

  const said = await promisify(execFile)(process.execPath, ['cdk/app.ts'], {
    env: { ...process.env, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) },
  });

  expect(said).toEqual({ stdout: '', stderr: '' });
  expect(await readdir(outdir)).toContain('manifest.json');
});

it('names a file of settings that is not there', async () => {
  const run = promisify(execFile)(process.execPath, ['cdk/app.ts'], {
    env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ settingsFile: 'nowhere.json' }) },
  });

  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: 'settingsFile must be the name of a file, or empty: there is no nowhere.json.\n',
  });
});
