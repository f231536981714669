import { parentPort } from 'node:worker_threads';
import { memoryTables, ToThread } from './threaded-tables.ts';

const { carry, save, restore } = memoryTables();

/** The tables have a thread of their own, so that their time and memory do not count as those of a function. */
parentPort?.on('message', async (message: unknown) => {
  const { id, request } = ToThread.parse(message);
  if (request.kind === 'carry') return parentPort?.postMessage({ id, answer: await carry(request) });

  if (request.kind === 'save') save(request.name);
  else restore(request.name);
  return parentPort?.postMessage({ id });
});
