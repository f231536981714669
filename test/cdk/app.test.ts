import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

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
