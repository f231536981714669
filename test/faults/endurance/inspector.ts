import { once } from 'node:events';
import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/json.ts';

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
