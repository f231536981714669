import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import type { Addresses, SandboxState } from '../../../sandbox/sandbox-state.ts';
import { type Process, processes, processTree } from './processes.ts';

/** How the sandbox is started. */
export interface ChildOptions {
  /** The folder in which it keeps everything. */
  readonly data: string;
  /** Whether calls happen by themselves, and agents come and go. */
  readonly traffic: boolean;
  /** The port of an earlier run, so that whoever posts need not look for it; else a free one. */
  readonly port?: number;
  /** Whether Node's inspector listens. */
  readonly inspected?: boolean;
}

const fileIn = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const guard = fileIn('sandbox/dynamodb/guard.ts');
const main = fileIn('sandbox/main.ts');

/**
 * What Node is to run: the sandbox as its users start it, under the guard that DynamoDB Local has too. So it ends when
 * the process that starts it ends, however that happens.
 */
const sandboxCommand = ({ data, traffic, port = 0, inspected = false }: ChildOptions): readonly string[] => [
  guard,
  process.execPath,
  ...(inspected ? ['--inspect=127.0.0.1:0'] : []),
  main,
  ...['--port', String(port), '--dynamodb-port', '0', '--provider-port', '0', '--data', data],
  ...(traffic ? [] : ['--no-traffic']),
];

/** Which of its processes runs the functions, and which is DynamoDB Local; guards have their commands in their own. */
const pidsIn = (tree: readonly Process[]): { readonly sandbox: number; readonly dynamodb: number } => {
  const pidOf = (text: string): number =>
    tree.find(({ command }) => command.includes(text) && !command.includes(guard))?.pid ?? 0;

  return { sandbox: pidOf(main), dynamodb: pidOf('DynamoDBLocal.jar') };
};

const lookMilliseconds = 25;

/** Waits until something is so; says in its error what was waited for if it is not so in time. */
export const waitUntil = async (
  what: string,
  isSo: () => boolean | Promise<boolean>,
  patienceMilliseconds: number,
): Promise<void> => {
  const deadline = Date.now() + patienceMilliseconds;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited ${patienceMilliseconds / 1000} s in vain: ${what}.`);
    await pause(lookMilliseconds);
  }
};

/** A sandbox at work in processes of its own. */
export interface SandboxChild {
  readonly addresses: Addresses;
  readonly port: number;
  /** The process that runs the functions, and the one that runs DynamoDB Local. */
  readonly pids: { readonly sandbox: number; readonly dynamodb: number };
  /** Address of Node's inspector, where it listens. */
  readonly inspector: string | undefined;
  readonly state: () => Promise<SandboxState>;
  /** Ends every process of it at once, without a warning to any. */
  readonly kill: () => Promise<void>;
  /** Stops it as Ctrl-C does; resolves with what is left of it, which should be nothing. */
  readonly stop: () => Promise<readonly Process[]>;
}

const patienceMilliseconds = 60_000;

/** What it printed; of its standard output only as much as tells where it is, as it goes on printing for ever. */
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

/** One that ends by itself meanwhile is gone as well. */
const end = (doomed: readonly Process[]): void => {
  for (const { pid } of doomed) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {}
  }
};

/** Starts the sandbox as its users do. Rejects with what it had to say if it does not start. */
export const startSandboxChild = async (options: ChildOptions): Promise<SandboxChild> => {
  const child = spawn(process.execPath, sandboxCommand(options), { detached: true, stdio: 'pipe' });
  const printed = printedBy(child);
  const root = child.pid ?? 0;
  let ended = false;
  child.once('close', () => {
    ended = true;
  });
  child.stdin.on('error', () => undefined);

  const isReady = (): boolean => ended || printed.output.includes('Ctrl-C stops everything.');
  await waitUntil('the sandbox to start', isReady, patienceMilliseconds).catch((error: unknown) => {
    child.stdin.end();
    throw error;
  });
  if (ended) throw new Error(`The sandbox did not start: ${printed.errors.trim()}`);
  const [, gateway = ''] = /POST (http:\/\/127\.0\.0\.1:\d+)/.exec(printed.output) ?? [];
  const state = async (): Promise<SandboxState> => (await (await fetch(`${gateway}/_sandbox`)).json()) as SandboxState;
  const { addresses, accounts } = await state();
  if (!accounts.includes(demoAccount.userName) || addresses.callbacks.includes('{secret}')) {
    child.stdin.end();
    throw new Error('Unset CALLFEED_ACCOUNTS and CALLFEED_CALLBACK_SECRET: posts are those of the built-in account.');
  }
  const tree = processTree(root, await processes());

  /** Processes are known by id and command, as an id may be given again. */
  const left = async (): Promise<readonly Process[]> => {
    const now = new Map((await processes()).map(({ pid, command }) => [pid, command]));
    return tree.filter(({ pid, command }) => now.get(pid) === command);
  };
  const untilGone = () =>
    waitUntil('all processes to be gone', async () => ended && (await left()).length === 0, 10_000);

  return {
    addresses,
    port: Number(new URL(gateway).port),
    pids: pidsIn(tree),
    inspector: /Debugger listening on (ws:\S+)/.exec(printed.errors)?.[1],
    state,
    async kill() {
      end(await left());
      await untilGone();
    },
    async stop() {
      child.stdin.end();
      await untilGone().catch(() => undefined);
      const remaining = await left();
      end(remaining);
      return remaining;
    },
  };
};
