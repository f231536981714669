import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { until } from './process-tree.ts';

/** A running script of the project. `ended` resolves with its exit code, or null if a signal ended it. */
export interface RunningScript {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output(): string;
  errors(): string;
}

const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Starts a script with the Node that runs the tests, or another program; `environment` is added to this process's. */
export const startScript = (
  path: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
  program = process.execPath,
): RunningScript => {
  // Without compiled code from an earlier start, loading the modules takes most of a short command's time.
  const NODE_COMPILE_CACHE = join(tmpdir(), 'node-compile-cache');
  const env = { ...process.env, NODE_COMPILE_CACHE, ...environment };
  const child = spawn(program, [path, ...args], { cwd: projectFolder, env });
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

/** The ids of a process's children, from `ps`. */
export const childrenOf = (pid: number | undefined): Promise<readonly number[]> =>
  new Promise((resolve, reject) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid='], (error, output) => {
      if (error !== null) return reject(error);

      const rows = output
        .trim()
        .split('\n')
        .map((row) => row.trim().split(/\s+/).map(Number));
      return resolve(rows.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : [])));
    });
  });

/** A call summary as the built-in account's contact centre sends it; `changes` replace fields. */
export const demoCall = (monitorUCID: string, changes: Readonly<Record<string, string>> = {}) => ({
  monitorUCID,
  UserName: 'demo',
  Apikey: 'demo-key',
  Type: 'Inbound',
  Status: 'Answered',
  AgentID: 'asha',
  CallerID: '09876500000',
  StartTime: '2026-11-21 10:00:00',
  EndTime: '2026-11-21 10:02:00',
  CallDuration: '00:02:00',
  ...changes,
});

/** Posts a call as a form to an address, and resolves with the status and the reply. */
export const postCall = async (address: string, call: object): Promise<readonly [status: number, reply: unknown]> => {
  const answer = await fetch(address, { method: 'POST', body: new URLSearchParams({ data: JSON.stringify(call) }) });

  return [answer.status, await answer.json()];
};

/** The events on the bus in their order, each as JSON. */
export const eventLines = async (eventsAddress: string): Promise<readonly string[]> =>
  (await (await fetch(eventsAddress)).text()).split('\n').filter((line) => line !== '');

/** The events on the bus once there are so many, each as JSON. */
export const published = ({ addresses }: Pick<Sandbox, 'addresses'>, count: number): Promise<readonly string[]> =>
  until(
    `${count} events`,
    () => eventLines(addresses.events),
    ({ length }) => length === count,
    { seconds: 60 },
  );

/** The call ids of the events on the bus, in the order of the events. */
export const publishedCalls = async (eventsAddress: string): Promise<readonly string[]> =>
  (await eventLines(eventsAddress)).map((line) => JSON.parse(line).detail.callId);

/** Steps for `POST /_sandbox/agents`. */
export const logIn = (agentId: string, state = 'READY') => ({ action: 'log-in' as const, agentId, state });
export const setState = (agentId: string, state: string) => ({ action: 'set-state' as const, agentId, state });
export const logOut = (agentId: string) => ({ action: 'log-out' as const, agentId });
