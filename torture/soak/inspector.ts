import { once } from 'node:events';
import * as z from 'zod';
import { parsed } from '../../lib/json/parsed.ts';

const Answer = z.object({ id: z.number(), result: z.unknown().optional() });
const HeapUsage = z.object({ usedSize: z.number(), backingStorageSize: z.number().default(0) });
const Evaluated = z.object({ result: z.object({ value: z.string() }) });
const Inside = z.object({ rss: z.number(), resources: z.array(z.string()) });

/** What a process of Node's holds, as it says itself. */
export interface Held {
  /** What is left of the heap, and of buffers beside it, when all garbage has been collected. */
  readonly liveBytes: number;
  readonly rssBytes: number;
  /** What keeps it running, each by its kind: timers, sockets, servers. */
  readonly resources: readonly string[];
}

/** A connection to the inspector of a process. */
export interface Inspector {
  readonly held: () => Promise<Held>;
  readonly close: () => void;
}

const question = 'JSON.stringify({ rss: process.memoryUsage.rss(), resources: process.getActiveResourcesInfo() })';

/** Connects to a process that listens with `--inspect`; `address` is the one that it prints. */
export const inspectorAt = async (address: string): Promise<Inspector> => {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const asked = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const answer = Answer.safeParse(parsed(String(data)));
    if (!answer.success) return;
    asked.get(answer.data.id)?.(answer.data.result);
    asked.delete(answer.data.id);
  });

  const ask = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      lastId += 1;
      asked.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });

  return {
    async held() {
      await ask('HeapProfiler.collectGarbage');
      const { usedSize, backingStorageSize } = HeapUsage.parse(await ask('Runtime.getHeapUsage'));
      const { result } = Evaluated.parse(await ask('Runtime.evaluate', { expression: question, returnByValue: true }));
      const { rss, resources } = Inside.parse(parsed(result.value));
      return { liveBytes: usedSize + backingStorageSize, rssBytes: rss, resources };
    },
    close: () => socket.close(),
  };
};
