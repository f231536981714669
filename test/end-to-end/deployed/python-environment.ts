import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Closers, createClosers } from '../../../sandbox/lifecycle.ts';
import { root, runToEnd } from '../../support/process-tree.ts';

const minimum = { major: 3, minor: 10 };

const install = `Install Python ${minimum.major}.${minimum.minor} or newer with its module venv, for example
  Debian, Ubuntu   sudo apt-get install python3 python3-venv
  Fedora           sudo dnf install python3
  macOS            brew install python
and run this again.`;

/** Whether the output of `python3 --version` names a version that is new enough. */
const isNewEnough = (output: string): boolean => {
  const [, major = 0, minor = 0] = /^Python (\d+)\.(\d+)/.exec(output) ?? [];

  return Number(major) === minimum.major && Number(minor) >= minimum.minor;
};

const versionOf = (command: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(command, ['--version'], { timeout: 20_000 }, (error, stdout) =>
      resolve(error === null ? stdout.trim() : ''),
    );
  });

/** The command that runs Python. Rejects with what to install, and why, where Python is missing or too old. */
const findPython = async (purpose: string, command = 'python3'): Promise<string> => {
  const version = await versionOf(command);
  if (isNewEnough(version)) return command;

  const reason = version === '' ? 'no python3 was found' : `python3 is ${version}`;
  throw new Error(`${purpose}, but ${reason}.\n${install}`);
};

interface PythonPackages {
  readonly name: string;
  /** Why Python is needed, as the beginning of a sentence. */
  readonly purpose: string;
  readonly requirements: readonly string[];
}

const textOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

/** The Python of a virtual environment with these packages, which an earlier run may have created. */
export const virtualEnvironment = async (
  { name, purpose, requirements }: PythonPackages,
  closers: Closers,
): Promise<string> => {
  // In `node_modules`, so that it is not committed and goes away with it.
  const folder = join(root, 'node_modules/.cache', name);
  const python = join(folder, 'bin/python');
  // Holds the list that was installed: with another list, the environment is created again.
  const installed = join(folder, 'installed.txt');
  const lists = await Promise.all(requirements.map((file) => readFile(join(root, file), 'utf8')));
  const listed = lists.join('');
  if ((await textOf(installed)) === listed) return python;

  const run = (command: string, ...args: readonly string[]) =>
    runToEnd({ command, args, folder: root, environment: process.env }, closers);
  const system = await findPython(purpose);
  await rm(folder, { recursive: true, force: true });
  await run(system, '-m', 'venv', folder);
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

const packages = {
  name: 'callfeed-examples',
  purpose:
    'The pages need Python for boto3 and for the AWS CLI, the static checks for cfn-lint and parliament, and the questions for sqlglot',
  requirements: ['docs/examples/python-subscriber/requirements.txt', 'test/requirements.txt'],
};

/** For vitest's `globalSetup`. Installs the packages unless an earlier run has done so. */
export const setup = async (project: Pick<TestProject, 'provide'>): Promise<void> => {
  const closers = createClosers();
  try {
    project.provide('pythonPrograms', dirname(await virtualEnvironment(packages, closers)));
  } finally {
    await closers.closeAll();
  }
};
