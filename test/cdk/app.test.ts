import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

it('stops before synthesis at a wrong setting, with one sentence and no stack trace', async () => {
  const outdir = await mkdtemp(join(tmpdir(), 'callfeed-app-'));
  onTestFinished(() => rm(outdir, { recursive: true }));

  const run = promisify(execFile)(process.execPath, ['cdk/app.ts'], {
    env: { ...process.env, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify({ callRetentionDays: '0' }) },
  });

  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'callRetentionDays must be a whole number of days from 1 to 3650.\n',
  });
  expect(await readdir(outdir)).toEqual([]);
});
