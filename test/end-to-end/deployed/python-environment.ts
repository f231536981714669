import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closers } from '../../../sandbox/closers.ts';
import { runToEnd } from './process-tree.ts';
import type { OnProgress } from './step-runner.ts';

/** What MiniStack is written for, and the example readers. */
const oldest = { major: 3, minor: 10 };

const install = `Install Python ${oldest.major}.${oldest.minor} or newer with its module venv, for example
  Debian, Ubuntu   sudo apt-get install python3 python3-venv
  Fedora           sudo dnf install python3
  macOS            brew install python
and run this again.`;

/** Whether `python3 --version` tells of a version that is new enough. */
const isNewEnough = (told: string): boolean => {
  const [, major = 0, minor = 0] = /^Python (\d+)\.(\d+)/.exec(told) ?? [];

  return Number(major) === oldest.major && Number(minor) >= oldest.minor;
};

const versionOf = (command: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(command, ['--version'], { timeout: 20_000 }, (error, stdout) =>
      resolve(error === null ? stdout.trim() : ''),
    );
  });

/** The command that runs Python. Rejects with what to install where there is none, or an old one, and with what for. */
const findPython = async (purpose: string, command = 'python3'): Promise<string> => {
  const version = await versionOf(command);
  if (isNewEnough(version)) return command;

  const reason = version === '' ? 'no python3 was found' : `python3 is ${version}`;
  throw new Error(`${purpose}, but ${reason}.\n${install}`);
};

const root = join(import.meta.dirname, '../../..');

/** Python packages that are wanted. */
export interface PythonPackages {
  /** Names the environment. */
  readonly name: string;
  /** What Python is needed for, as the beginning of a sentence. */
  readonly purpose: string;
  /** The files that list the packages, from the root. */
  readonly requirements: readonly string[];
}

const textOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

/** The Python of a virtual environment with packages in it, made now unless an earlier run has done so. */
export const virtualEnvironment = async (
  { name, purpose, requirements }: PythonPackages,
  tell: OnProgress,
  closers: Closers,
): Promise<string> => {
  // It goes with `node_modules`, and is not committed.
  const folder = join(root, 'node_modules/.cache', name);
  const python = join(folder, 'bin/python');
  // Beside the packages stands what was asked for when they were installed: another list makes them anew.
  const installed = join(folder, 'installed.txt');
  const lists = await Promise.all(requirements.map((file) => readFile(join(root, file), 'utf8')));
  const wanted = lists.join('');
  if ((await textOf(installed)) === wanted) return python;

  const run = (command: string, ...args: readonly string[]) =>
    runToEnd({ command, args, folder: root, environment: process.env, onLine: tell }, closers);
  const system = await findPython(purpose);
  await rm(folder, { recursive: true, force: true });
  await run(system, '-m', 'venv', folder);
  const quietly = ['--disable-pip-version-check', '--no-input', '--progress-bar', 'off'];
  await run(python, '-m', 'pip', 'install', ...quietly, ...requirements.flatMap((file) => ['-r', file]));
  await writeFile(installed, wanted);
  return python;
};
