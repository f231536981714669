import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closers } from '../../sandbox/closers.ts';
import { runToEnd } from '../process/run-to-end.ts';
import type { Tell } from '../runner/steps.ts';
import { findPython } from './python.ts';

const root = join(import.meta.dirname, '../..');

/** Python packages that are wanted. */
export interface Wanted {
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
  { name, purpose, requirements }: Wanted,
  tell: Tell,
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
