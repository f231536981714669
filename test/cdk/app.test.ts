import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callfeed-app-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

/** What the CDK command line sets for the app. */
const environmentOf = (outdir: string, context: object) => ({
  CDK_OUTDIR: outdir,
  CDK_CONTEXT_JSON: JSON.stringify(context),
});

const synthesised = { ...cdkJson.context, settingsFile: '', 'aws:cdk:bundling-stacks': [] };

/** Runs the app in this process, where aws-cdk-lib is loaded already. A process of its own takes seconds to load it. */
const runHere = async (outdir: string, context: object) => {
  const written: string[] = [];
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  onTestFinished(() => {
    process.exitCode = undefined;
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  for (const [name, value] of Object.entries(environmentOf(outdir, context))) vi.stubEnv(name, value);
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(write);
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(write);
  for (const method of ['log', 'info', 'warn', 'error'] as const) vi.spyOn(console, method).mockImplementation(write);

  try {
    vi.resetModules();
    await import('../../cdk/app.ts');
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
  return { code: process.exitCode, output: written.join('') };
};

it('stops before synthesis at invalid settings of file and context: a sentence a line, no stack trace', async () => {
  const [folder, outdir] = [await newFolder(), await newFolder()];
  const settingsFile = join(folder, 'settings.json');
  await writeFile(settingsFile, '{"callRetentionDays": 0}');
  const context = { settingsFile, tracing: 'yes', callbackSecret: 'short-SENTINEL' };

  expect(await runHere(outdir, context)).toEqual({
    code: 1,
    output: [
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
  // checks.test.ts validates this template too, and validation takes seconds.
  vi.stubEnv('CDK_VALIDATION', 'false');

  expect(await runHere(outdir, synthesised)).toEqual({ code: undefined, output: '' });
  expect(await readdir(outdir)).toContain('manifest.json');
});

it('synthesises in a process of its own with all that adds resources, and prints nothing', async () => {
  const outdir = await newFolder();
  const all = { subscriberAccounts: '111122223333', alarmEmail: 'ops@example.com', stage: 'test' };
  const env = { ...process.env, ...environmentOf(outdir, { ...synthesised, ...all }) };

  expect(await promisify(execFile)(process.execPath, ['cdk/app.ts'], { env })).toEqual({ stdout: '', stderr: '' });
  expect(await readdir(outdir)).toContain('manifest.json');
});
