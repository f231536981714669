import { parentPort } from 'node:worker_threads';
import type { Chunk } from './model.ts';
import { modelNamed } from './models.ts';

/** Many errors are part of the play, and nobody reads where they came from. */
Error.stackTraceLimit = 1;

parentPort?.on('message', async (chunk: Chunk) => {
  parentPort?.postMessage(await modelNamed(chunk.model).run(chunk));
});
