import { Worker } from 'node:worker_threads';
import { threadOptions } from '../memory.ts';
import type { CaseCounts, CasesOptions } from './run-cases.ts';

/** What a worker is told: its cases, and where it says which of them it is at. */
export type Share = Pick<CasesOptions, 'seed' | 'requests' | 'answers' | 'rounds' | 'share' | 'shares'> & {
  readonly at: SharedArrayBuffer;
};

/** What a worker says. */
type Message = { readonly round: number } | { readonly tally: CaseCounts };

/** A case that takes longer than this hangs. */
const hangsAfterMs = 120_000;
const lookEveryMs = 5_000;

const stuck = (seed: number, number: number): string =>
  `A case did not end in ${hangsAfterMs / 1_000} s (node test/faults/fuzz/replay.ts ${seed} ${number}, perhaps with --answer)`;

/** Has a worker try a share of the cases. A case that never ends is told of, and the rest of its share is not tried. */
export const runInWorker = (
  share: Omit<Share, 'at'>,
  onRound: (round: number) => void,
): Promise<CaseCounts | { readonly failures: readonly string[] }> =>
  new Promise((resolve, reject) => {
    const at = new SharedArrayBuffer(4);
    const position = new Int32Array(at);
    const worker = new Worker(new URL('worker.ts', import.meta.url), {
      ...threadOptions,
      workerData: { ...share, at } satisfies Share,
    });
    let seen = { number: -1, since: Date.now() };
    const watch = setInterval(() => {
      const number = Atomics.load(position, 0);
      if (number !== seen.number) seen = { number, since: Date.now() };
      else if (Date.now() - seen.since > hangsAfterMs) {
        resolve({ failures: [stuck(share.seed, number)] });
        void worker.terminate();
      }
    }, lookEveryMs);

    worker.on('message', (message: Message) => {
      if ('round' in message) onRound(message.round);
      else resolve(message.tally);
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      clearInterval(watch);
      reject(new Error('A worker ended without a result'));
    });
  });
