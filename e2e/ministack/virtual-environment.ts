import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closers } from '../../sandbox/closers.ts';
import { runToEnd } from '../process/run-to-end.ts';
import type { Tell } from '../runner/steps.ts';
import { findPython } from './python.ts';

const root = join(import.meta.dirname, '../..');
const requirements = join(root, 'e2e/requirements.txt');

/** It goes with `node_modules`, and is not committed. */
const folder = join(root, 'node_modules/.cache/callfeed-e2e');

/** Beside the packages stands what was asked for when they were installed: another list makes them anew. */
const installed = join(folder, 'installed.txt');
const python = join(folder, 'bin/python');

const textOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

/** The Python of a virtual environment with MiniStack in it, made now unless an earlier run has done so. */
export const virtualEnvironment = async (tell: Tell, closers: Closers): Promise<string> => {
  const wanted = await readFile(requirements, 'utf8');
  if ((await textOf(installed)) === wanted) return python;

  const run = (command: string, ...args: readonly string[]) =>
    runToEnd({ command, args, folder: root, environment: process.env, onLine: tell }, closers);
  const system = await findPython();
  await rm(folder, { recursive: true, force: true });
  await run(system, '-m', 'venv', folder);
  const quietly = ['--disable-pip-version-check', '--no-input', '--progress-bar', 'off'];
  await run(python, '-m', 'pip', 'install', ...quietly, '-r', requirements);
  await writeFile(installed, wanted);
  return python;
};
