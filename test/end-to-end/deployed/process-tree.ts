import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Closers } from '../../../sandbox/closers.ts';
import { until } from './assertions.ts';

/** What to run, with nothing in its environment but `environment`. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onLine: (line: string) => void;
}

/** A running command with all that it started. */
export interface ProcessTree {
  /** Its exit code, once it has ended by itself or was stopped. */
  readonly ended: Promise<number>;
  /** Ends it, and resolves when no process of it is left. */
  stop(): Promise<void>;
}

const guard = fileURLToPath(new URL('../../../sandbox/dynamodb/guard.ts', import.meta.url));

const noSuchProcess = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ESRCH';

/** Sends a signal to every process of a group; 0 only asks. False if there is none. */
const signalGroup = (group: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (noSuchProcess(error)) return false;
    throw error;
  }
};

/**
 * Starts a command under a guard, which ends it when this process is gone, in a process group of its own: Ctrl-C in the
 * terminal does not reach it, and whatever it leaves behind can be found and ended.
 */
export const startProcessTree = ({ command, args, folder, environment, onLine }: Command): ProcessTree => {
  const child = spawn(process.execPath, [guard, command, ...args], {
    cwd: folder,
    env: { ...environment },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
  child.stdin.on('error', () => undefined);
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
  // Only once nobody holds its output any more is the last line there.
  const silent = new Promise<void>((resolve) => child.once('close', () => resolve()));

  const { pid } = child;
  return {
    ended,
    async stop() {
      child.stdin.end();
      await ended;
      if (pid === undefined) return;
      signalGroup(pid, 'SIGKILL');
      await until(
        'no process is left',
        async () => signalGroup(pid, 0),
        (isThere) => !isThere,
      );
      await silent;
    },
  };
};

const shownLines = 30;

/** Runs a command that ends by itself. Rejects with the end of what it printed unless it succeeds. */
export const runToEnd = async (command: Command, closers: Closers): Promise<void> => {
  const printed: string[] = [];
  const onLine = (line: string): void => {
    printed.push(line);
    command.onLine(line);
  };
  const tree = startProcessTree({ ...command, onLine });
  closers.add(tree.stop);
  const code = await tree.ended;
  await tree.stop();
  if (code !== 0)
    throw new Error(
      `${[command.command, ...command.args].join(' ')} ended with ${code}. It printed at last:\n${printed.slice(-shownLines).join('\n')}`,
    );
};
