import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadOptions } from '../thread-options.ts';
import type { Chunk, ChunkReport } from './model.ts';

/** Runs chunks on so many threads, and tells what came of each. After a failure none is begun any more. */
export const runChunks = async (
  chunks: readonly Chunk[],
  threads: number,
  onReport: (report: ChunkReport) => void,
): Promise<void> => {
  const left = [...chunks];
  let hasFailed = false;

  const work = async (): Promise<void> => {
    const worker = new Worker(new URL('chunk-worker.ts', import.meta.url), threadOptions);
    try {
      for (let chunk = left.shift(); chunk !== undefined && !hasFailed; chunk = left.shift()) {
        worker.postMessage(chunk);
        const [report]: ChunkReport[] = await once(worker, 'message');
        if (report === undefined) throw new Error('A thread reported nothing');
        hasFailed ||= report.failure !== undefined;
        onReport(report);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
};
