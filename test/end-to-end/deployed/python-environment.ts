import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Closers, createClosers } from '../../../sandbox/frame/lifecycle.ts';
import { root, runToEnd } from '../../support/process-tree.ts';

/** Fails where Python is too old, or lacks the module venv. */
const check =
  'import sys, venv; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: CONTRIBUTING.md")';

/** The Python of a virtual environment with the packages of these files, which an earlier run may have created. */
export const virtualEnvironment = async (
  name: string,
  requirements: readonly string[],
  closers: Closers,
): Promise<string> => {
  // In `node_modules`, so that it is not committed and goes away with it.
  const folder = join(root, 'node_modules/.cache', name);
  const python = join(folder, 'bin/python');
  // Holds the list that was installed: with another list, the environment is created again.
  const installed = join(folder, 'installed.txt');
  const lists = await Promise.all(requirements.map((file) => readFile(join(root, file), 'utf8')));
  const listed = lists.join('');
  if ((await readFile(installed, 'utf8').catch(() => undefined)) === listed) return python;

  const run = (command: string, ...args: readonly string[]) =>
    runToEnd({ command, args, folder: root, environment: process.env }, closers);
  await run('python3', '-c', check);
  await rm(folder, { recursive: true, force: true });
  await run('python3', '-m', 'venv', folder);
  const quietly = ['--disable-pip-version-check', '--no-input', '--progress-bar', 'off'];
  await run(python, '-m', 'pip', 'install', ...quietly, ...requirements.flatMap((file) => ['-r', file]));
  await writeFile(installed, listed);
  return python;
};

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of `python` with boto3 and sqlglot, and of `aws`, `cfn-lint` and `parliament`. */
    readonly pythonPrograms: string;
  }
}

/** For vitest's `globalSetup`. Installs the packages unless an earlier run has done so. */
export const setup = async (project: Pick<TestProject, 'provide'>): Promise<void> => {
  const closers = createClosers();
  const requirements = ['docs/examples/python-subscriber/requirements.txt', 'test/requirements.txt'];
  try {
    project.provide('pythonPrograms', dirname(await virtualEnvironment('callfeed-examples', requirements, closers)));
  } finally {
    await closers.closeAll();
  }
};
