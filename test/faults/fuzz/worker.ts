import { parentPort, workerData } from 'node:worker_threads';
import { runCases } from './run-cases.ts';
import type { Share } from './workers.ts';

const { seed, requests, answers, rounds, share, shares, at }: Share = workerData;
const position = new Int32Array(at);

const unhandled: string[] = [];
process.on('unhandledRejection', (error) =>
  unhandled.push(`A promise was left rejected with ${String(error)} (case ${position[0]})`),
);

const tally = await runCases({
  ...{ seed, requests, answers, rounds, share, shares },
  onCase: (number) => Atomics.store(position, 0, number),
  onRound: (round) => parentPort?.postMessage({ round }),
});
parentPort?.postMessage({ tally: { ...tally, failures: [...tally.failures, ...unhandled] } });
