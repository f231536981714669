import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { runHere } from '../support/run-here.ts';

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callfeed-app-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

/** What the CDK command line sets for the app. checks.test.ts has the validation of templates, which takes seconds. */
const environmentOf = (outdir: string, context: object) => ({
  CDK_OUTDIR: outdir,
  CDK_CONTEXT_JSON: JSON.stringify(context),
  CDK_VALIDATION: 'false',
});

const synthesised = { ...cdkJson.context, settingsFile: '', 'aws:cdk:bundling-stacks': [] };

const runApp = (outdir: string, context: object) =>
  runHere(() => import('../../cdk/app.ts'), { env: environmentOf(outdir, context) });

it('stops before synthesis at invalid settings of file and context: a sentence a line, no stack trace', async () => {
  const [folder, outdir] = [await newFolder(), await newFolder()];
  const settingsFile = join(folder, 'settings.json');
  await writeFile(settingsFile, '{"callRetentionDays": 0}');
  const context = { settingsFile, tracing: 'yes', callbackSecret: 'short-SENTINEL' };

  expect(await runApp(outdir, context)).toEqual({
    code: 1,
    stdout: '',
    stderr: [
      'callRetentionDays must be a whole number of days from 1 to 3650.',
      'callbackSecret must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~.',
      'tracing must be on or off.',
      '',
    ].join('\n'),
  });
  expect(await readdir(outdir)).toEqual([]);
});

it('synthesises with no settings and prints nothing, not even a deprecation', async () => {
  const outdir = await newFolder();
  expect(await runApp(outdir, synthesised)).toEqual({ code: undefined, stdout: '', stderr: '' });
  expect(await readdir(outdir)).toContain('manifest.json');
});

it('synthesises in a process of its own with all that adds resources, and prints nothing', async () => {
  const outdir = await newFolder();
  const all = { subscriberAccounts: '111122223333', alarmEmail: 'ops@example.com', stage: 'test' };
  const env = { ...process.env, ...environmentOf(outdir, { ...synthesised, ...all }) };

  expect(await promisify(execFile)(process.execPath, ['cdk/app.ts'], { env })).toEqual({ stdout: '', stderr: '' });
  expect(await readdir(outdir)).toContain('manifest.json');
});
