import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A script of the project at work. `ended` resolves with its exit code, or null when a signal ended it. */
export interface RunningScript {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output(): string;
  errors(): string;
}

const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Starts a script with the Node that runs the tests; `environment` is added to this process's. */
export const startScript = (
  path: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): RunningScript => {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [path, ...args], { cwd: projectFolder, env });
  let output = '';
  let errors = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text;
  });
  child.stderr.on('data', (text: Buffer) => {
    errors += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));

  return { child, ended, output: () => output, errors: () => errors };
};
