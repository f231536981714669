import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/json.ts';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import type { SandboxState } from '../../../sandbox/sandbox-state.ts';
import { root, startProcessTree, until } from '../../support/process-tree.ts';

const Response = z.object({ id: z.number(), result: z.unknown().optional() });
const HeapUsage = z.object({ usedSize: z.number(), backingStorageSize: z.number().default(0) });
const Evaluated = z.object({ result: z.object({ value: z.string() }) });
const Inside = z.object({ rss: z.number(), resources: z.array(z.string()), files: z.number() });

/** Open files and sockets are in /proc; without it there are none. */
const expression = `JSON.stringify({
  rss: process.memoryUsage.rss(),
  resources: process.getActiveResourcesInfo(),
  files: process.platform === 'linux' ? process.getBuiltinModule('fs').readdirSync('/proc/self/fd').length : 0,
})`;

/** Connects to a process that listens with `--inspect`, at the address that it prints. */
export const connectInspector = async (address: string) => {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const pending = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const response = Response.safeParse(tryParseJson(String(data)));
    if (!response.success) return;
    pending.get(response.data.id)?.(response.data.result);
    pending.delete(response.data.id);
  });

  const request = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      lastId += 1;
      pending.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });

  return {
    /** The heap after a garbage collection with the buffers beside it, and what keeps the process running, by kind. */
    async held() {
      await request('HeapProfiler.collectGarbage');
      const { usedSize, backingStorageSize } = HeapUsage.parse(await request('Runtime.getHeapUsage'));
      const { result } = Evaluated.parse(await request('Runtime.evaluate', { expression, returnByValue: true }));
      const { rss, ...inside } = Inside.parse(tryParseJson(result.value));
      return { liveBytes: usedSize + backingStorageSize, rssBytes: rss, ...inside };
    },
    close: () => socket.close(),
  };
};

const main = fileURLToPath(new URL('../../../sandbox/main.ts', import.meta.url));

const startWithin = { seconds: 60, everyMilliseconds: 25 };

/** The addresses are in the first lines, before those of the posts. */
const shownLines = 200;

/** Starts the sandbox as its users do, with its tables in memory unless there is a folder for them; with the port of an earlier run its address stays. Rejects if it does not start. */
export const startSandboxChild = async ({
  data,
  port = 0,
}: {
  readonly data?: string;
  readonly port?: number;
} = {}) => {
  const lines: string[] = [];
  const ports = ['--port', String(port), '--dynamodb-port', '0', '--provider-port', '0'];
  const tree = startProcessTree({
    command: process.execPath,
    args: ['--inspect=127.0.0.1:0', main, '--no-traffic', ...ports, ...(data === undefined ? [] : ['--data', data])],
    folder: root,
    environment: process.env,
    onLine: (line) => void (lines.length < shownLines && lines.push(line)),
  });
  const found = (pattern: RegExp): string | undefined => pattern.exec(lines.join('\n'))?.[1];
  const ended = tree.ended.then(() => {
    throw new Error(`The sandbox did not start: ${lines.join('\n')}`);
  });
  ended.catch(() => undefined);
  const ready = until('the sandbox starts', () => found(/(Ctrl-C stops everything\.)/), Boolean, startWithin);
  try {
    await Promise.race([ready, ended]);
    const gateway = found(/POST (http:\/\/127\.0\.0\.1:\d+)/) ?? '';
    const state = async () => (await (await fetch(`${gateway}/_sandbox`)).json()) as SandboxState;
    const { addresses, accounts } = await state();
    if (!accounts.includes(demoAccount.userName) || addresses.callbacks.includes('{secret}'))
      throw new Error('Unset CALLFEED_ACCOUNTS and CALLFEED_CALLBACK_SECRET: posts belong to the built-in account.');
    const answers = () => fetch(addresses.dynamodb).then(Boolean, () => false);
    return {
      ...{ addresses, state },
      port: Number(new URL(gateway).port),
      inspector: found(/Debugger listening on (ws:\S+)/) ?? '',
      /** Ends it at once. DynamoDB Local, which has a guard of its own, ends soon after. */
      async kill() {
        tree.kill();
        await tree.stop();
        await until('DynamoDB Local is gone', answers, (is) => !is);
      },
      stop: tree.stop,
    };
  } catch (error) {
    await tree.stop();
    throw error;
  }
};

/** A running sandbox in processes of its own, without calls of its own. */
export type SandboxChild = Awaited<ReturnType<typeof startSandboxChild>>;
