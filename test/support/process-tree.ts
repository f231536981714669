import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Closers } from '../../sandbox/frame/lifecycle.ts';

interface WaitOptions {
  readonly seconds?: number;
  readonly everyMilliseconds?: number;
}

/** Looks until it finds what it waits for, and returns it. At the deadline it throws with what it found last. */
export const until = async <Found>(
  what: string,
  look: () => Found | Promise<Found>,
  isDone: (found: Found) => boolean,
  { seconds = 15, everyMilliseconds = 50 }: WaitOptions = {},
): Promise<Found> => {
  const deadline = performance.now() + seconds * 1000;

  for (;;) {
    const found = await look();
    if (isDone(found)) return found;
    if (performance.now() > deadline)
      throw new Error(`Not within ${seconds} s: ${what}\n  found: ${JSON.stringify(found, undefined, 2)}`);
    await pause(everyMilliseconds);
  }
};

/** A command. Its environment holds `environment` and nothing else. */
interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onLine?: (line: string) => void;
}

interface ProcessTree {
  /** Resolves with its exit code once it has ended. */
  readonly ended: Promise<number>;
  /** Ends all its processes at once. */
  kill(): void;
  /** Ends it, and resolves when none of its processes is left. */
  stop(): Promise<void>;
}

export const root = join(import.meta.dirname, '../..');

const guard = fileURLToPath(new URL('../../sandbox/dynamodb/run-until-parent-ends.ts', import.meta.url));

const noSuchProcess = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ESRCH';

/** Sends a signal to every process of a group; signal 0 only tests. False if the group has no process. */
const signalGroup = (group: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (noSuchProcess(error)) return false;
    throw error;
  }
};

/**
 * Starts a command under a guard, which ends it when this process ends. It has a process group of its own: Ctrl-C in the
 * terminal does not reach it, and processes that it leaves behind can be ended.
 */
export const startProcessTree = ({
  command,
  args,
  folder,
  environment,
  onLine = () => undefined,
}: Command): ProcessTree => {
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
  // The last line has arrived once no process holds the output open.
  const outputClosed = new Promise<void>((resolve) => child.once('close', () => resolve()));

  const signal = (name: NodeJS.Signals | 0): boolean => child.pid !== undefined && signalGroup(child.pid, name);
  const kill = (): void => void signal('SIGKILL');
  return {
    ended,
    kill,
    async stop() {
      child.stdin.end();
      await ended;
      kill();
      await until(
        'no process is left',
        () => signal(0),
        (isRunning) => !isRunning,
      );
      await outputClosed;
    },
  };
};

const shownLines = 30;

/** Runs a command to its end. Rejects with its last lines unless it succeeds. */
export const runToEnd = async (command: Command, closers: Closers): Promise<void> => {
  const lines: string[] = [];
  const onLine = (line: string): void => {
    lines.push(line);
    command.onLine?.(line);
  };
  const tree = startProcessTree({ ...command, onLine });
  closers.add(tree.stop);
  const code = await tree.ended;
  await tree.stop();
  if (code !== 0)
    throw new Error(
      `${[command.command, ...command.args].join(' ')} ended with ${code}. Its last lines:\n${lines.slice(-shownLines).join('\n')}`,
    );
};
