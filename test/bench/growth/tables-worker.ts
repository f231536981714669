import { parentPort } from 'node:worker_threads';
import { sandboxTables } from '../../../sandbox/local-aws.ts';
import { memoryTables } from './memory-tables.ts';
import { ToThread } from './threaded-tables.ts';

const { answer, keep, restore } = memoryTables(sandboxTables);

/** The tables have a thread of their own, so that neither their work nor their memory is taken for that of a function. */
parentPort?.on('message', (message: unknown) => {
  const { id, ask } = ToThread.parse(message);
  if (ask.kind === 'answer') return parentPort?.postMessage({ id, answer: answer(ask) });

  if (ask.kind === 'keep') keep(ask.name);
  else restore(ask.name);
  return parentPort?.postMessage({ id });
});
