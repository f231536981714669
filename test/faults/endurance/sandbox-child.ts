import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/json.ts';
import type { FaultName } from '../../../sandbox/faults.ts';
import type { SandboxState } from '../../../sandbox/sandbox-routes.ts';
import { root, startProcessTree, until } from '../../support/process-tree.ts';

const main = fileURLToPath(new URL('../../../sandbox/main.ts', import.meta.url));

/** Starts the sandbox as its users do, over the tables in a folder; with the port of an earlier run its address stays. */
export const startSandboxChild = async (data: string, port = 0) => {
  const lines: string[] = [];
  const ports = ['--port', String(port), '--dynamodb-port', '0', '--provider-port', '0'];
  const { CALLFEED_ACCOUNTS: _accounts, CALLFEED_CALLBACK_SECRET: _secret, ...environment } = process.env;
  const tree = startProcessTree({
    command: process.execPath,
    args: ['--inspect=127.0.0.1:0', main, '--no-traffic', '--data', data, ...ports],
    folder: root,
    environment,
    onLine: (line) => lines.push(line),
  });
  const found = (pattern: RegExp): string => pattern.exec(lines.join('\n'))?.[1] ?? '';
  try {
    await until(`the sandbox starts: ${lines}`, () => found(/(Ctrl-C stops everything\.)/), Boolean, { seconds: 60 });
    const gateway = found(/POST (http:\/\/127\.0\.0\.1:\d+)/);
    const state = async () => (await (await fetch(`${gateway}/_sandbox`)).json()) as SandboxState;
    const { addresses } = await state();
    return {
      ...{ addresses, state },
      port: Number(new URL(gateway).port),
      inspector: found(/Debugger listening on (ws:\S+)/),
      async setFault(name: FaultName, mode: string, rate = 1) {
        const answer = await fetch(`${addresses.faults}/${name}`, {
          method: 'PUT',
          body: JSON.stringify({ mode, rate }),
        });
        if (!answer.ok) throw new Error(`The sandbox rejected a fault: ${await answer.text()}`);
      },
      /** Ends it at once. DynamoDB Local, which has a guard of its own, ends soon after. */
      async kill() {
        tree.kill();
        await tree.stop();
        const answers = () => fetch(addresses.dynamodb).then(Boolean, () => false);
        await until('DynamoDB Local is gone', answers, (is) => !is);
      },
      stop: tree.stop,
    };
  } catch (error) {
    await tree.stop();
    throw error;
  }
};

export type SandboxChild = Awaited<ReturnType<typeof startSandboxChild>>;

/** Open files and sockets are in /proc; without it there are none. */
const expression = `JSON.stringify({
  rss: process.memoryUsage.rss(),
  resources: process.getActiveResourcesInfo(),
  files: process.platform === 'linux' ? process.getBuiltinModule('fs').readdirSync('/proc/self/fd').length : 0,
})`;
const Inside = z.object({ rss: z.number(), resources: z.array(z.string()), files: z.number() });
const Response = z.object({
  id: z.number(),
  result: z.object({
    usedSize: z.number().default(0),
    backingStorageSize: z.number().default(0),
    result: z.object({ value: z.string() }).optional(),
  }),
});

/** Looks into the process, and measures the heap after a garbage collection. */
export const inspect = async ({ inspector }: SandboxChild) => {
  const socket = new WebSocket(inspector);
  await once(socket, 'open');
  let id = 0;
  const ask = async (method: string, params: object = {}) => {
    id += 1;
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const [{ data }] = await once(socket, 'message');
      const answer = Response.safeParse(tryParseJson(String(data))).data;
      if (answer?.id === id) return answer.result;
    }
  };
  return {
    async held() {
      await ask('HeapProfiler.collectGarbage');
      const { usedSize, backingStorageSize } = await ask('Runtime.getHeapUsage');
      const { result } = await ask('Runtime.evaluate', { expression, returnByValue: true });
      const { rss, resources, files } = Inside.parse(tryParseJson(result?.value ?? ''));
      const timers = resources.filter((kind) => kind === 'Timeout').length;
      const [heap, resident] = [(usedSize + backingStorageSize) / 2 ** 20, rss / 2 ** 20];
      return { heap, resident, timers, resources: resources.length - timers, files };
    },
    close: () => socket.close(),
  };
};

const Recorded = z.object({ detail: z.object({ recordedAt: z.string() }) });

/** Follows the bus as a subscriber does, from now on. `lags` has the milliseconds from each row to its event since the last call. */
export const followEvents = async ({ addresses }: SandboxChild) => {
  const stopping = new AbortController();
  const { body } = await fetch(`${addresses.events}?follow&last=0`, { signal: stopping.signal });
  let lags: number[] = [];
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      const events = lines.flatMap((line) => Recorded.safeParse(tryParseJson(line)).data ?? []);
      lags.push(...events.map(({ detail }) => Date.now() - Date.parse(detail.recordedAt)));
    }
  };
  const reading = read().catch(() => undefined);
  return {
    lags() {
      const taken = lags;
      lags = [];
      return taken;
    },
    async stop() {
      stopping.abort();
      await reading;
    },
  };
};
