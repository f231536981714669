import { parentPort, workerData } from 'node:worker_threads';
import type { Chunk } from './model.ts';
import { modelNamed } from './models.ts';
import { usedBytes } from './run-chunks.ts';

/** Many errors are expected, and nobody reads their stack traces. */
Error.stackTraceLimit = 1;

const position = new Int32Array(workerData);
let unhandled: string | undefined;
process.on('unhandledRejection', (error) => {
  unhandled ??= `A promise was left rejected with ${String(error)}`;
});

parentPort?.on('message', async (chunk: Chunk) => {
  const report = await modelNamed(chunk.model).run(chunk, (number) => Atomics.store(position, 0, number));
  const failure = report.failure ?? (unhandled && `${chunk.model}, seed ${chunk.seed}: ${unhandled}`);
  parentPort?.postMessage({ ...report, usedBytes: await usedBytes(), ...(failure !== undefined && { failure }) });
});
