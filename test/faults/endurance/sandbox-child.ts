import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import type { SandboxState } from '../../../sandbox/sandbox-state.ts';

export interface ChildOptions {
  readonly data: string;
  /** The port of an earlier run, so that its address stays; otherwise a free one. */
  readonly port?: number;
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

const fileIn = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const guard = fileIn('sandbox/dynamodb/guard.ts');
const main = fileIn('sandbox/main.ts');

/** The sandbox as its users start it, under a guard: it ends when this process ends, however that happens. */
const sandboxCommand = ({ data, port = 0 }: ChildOptions): readonly string[] => [
  ...[guard, process.execPath, '--inspect=127.0.0.1:0', main, '--no-traffic'],
  ...['--port', String(port), '--dynamodb-port', '0', '--provider-port', '0', '--data', data],
];

const timeoutMs = 60_000;

/** Starts the sandbox as its users do. Rejects with its error output if it does not start. */
export const startSandboxChild = async (options: ChildOptions) => {
  const child = spawn(process.execPath, sandboxCommand(options), { detached: true, stdio: 'pipe' });
  const printed = printedBy(child);
  const root = child.pid ?? 0;
  let hasEnded = false;
  child.once('close', () => {
    hasEnded = true;
  });
  child.stdin.on('error', () => undefined);

  const isReady = (): boolean => hasEnded || printed.output.includes('Ctrl-C stops everything.');
  await waitUntil('the sandbox starts', isReady, timeoutMs).catch((error: unknown) => {
    child.stdin.end();
    throw error;
  });
  if (hasEnded) throw new Error(`The sandbox did not start: ${printed.errors.trim()}`);
  const [, gateway = ''] = /POST (http:\/\/127\.0\.0\.1:\d+)/.exec(printed.output) ?? [];
  const state = async (): Promise<SandboxState> => (await (await fetch(`${gateway}/_sandbox`)).json()) as SandboxState;
  const { addresses, accounts } = await state();
  if (!accounts.includes(demoAccount.userName) || addresses.callbacks.includes('{secret}')) {
    child.stdin.end();
    throw new Error('Unset CALLFEED_ACCOUNTS and CALLFEED_CALLBACK_SECRET: posts belong to the built-in account.');
  }
  const tree = processTree(root, await processes());

  /** Processes are compared by id and command, as an id may be used again. */
  const left = async (): Promise<readonly Process[]> => {
    const now = new Map((await processes()).map(({ pid, command }) => [pid, command]));
    return tree.filter(({ pid, command }) => now.get(pid) === command);
  };
  const untilGone = () =>
    waitUntil('all processes are gone', async () => hasEnded && (await left()).length === 0, 10_000);

  return {
    addresses,
    port: Number(new URL(gateway).port),
    pid: tree.find(({ command }) => command.includes(main) && !command.includes(guard))?.pid ?? 0,
    inspector: /Debugger listening on (ws:\S+)/.exec(printed.errors)?.[1] ?? '',
    state,
    async kill() {
      killAll(await left());
      await untilGone();
    },
    /** Stops it as Ctrl-C does. Resolves with the processes that are left, which should be none. */
    async stop() {
      child.stdin.end();
      await untilGone().catch(() => undefined);
      const remaining = await left();
      killAll(remaining);
      return remaining;
    },
  };
};

/** A running sandbox in processes of its own, without calls of its own. */
export type SandboxChild = Awaited<ReturnType<typeof startSandboxChild>>;

/** Waits until a condition holds. The error names the condition if it does not hold in time. */
export const waitUntil = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs / 1_000} s in vain until ${what}.`);
    await pause(25);
  }
};

/** The beginning of the standard output, which has the addresses, and the end of the error output. */
const printedBy = (child: ChildProcess) => {
  const printed = { output: '', errors: '' };
  child.stdout?.on('data', (text: Buffer) => {
    if (printed.output.length < 10_000) printed.output += text;
  });
  child.stderr?.on('data', (text: Buffer) => {
    printed.errors = `${printed.errors}${text}`.slice(-10_000);
  });
  return printed;
};

/** A process may end by itself meanwhile. */
const killAll = (list: readonly Process[]): void => {
  for (const { pid } of list) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {}
  }
};

const processes = (): Promise<readonly Process[]> =>
  new Promise((resolve, reject) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { maxBuffer: 16 * 1024 * 1024 }, (error, output) =>
      error === null ? resolve(output.split('\n').flatMap(processIn)) : reject(error),
    );
  });

const processIn = (row: string): readonly Process[] => {
  const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? [];
  // A zombie runs nothing and holds nothing.
  return pid === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
};

const processTree = (pid: number, all: readonly Process[]): readonly Process[] =>
  all
    .filter((process) => process.pid === pid)
    .concat(all.filter(({ parent }) => parent === pid).flatMap((child) => processTree(child.pid, all)));
