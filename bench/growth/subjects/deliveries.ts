import type { StandIn } from '../stand-in/start-stand-in.ts';
import { example, postedReceiver } from './posted-receiver.ts';
import type { Subject } from './subject.ts';

const summary = example('call-summary');

/** The n-th delivery of a call. Each says something else and is taken at its word, so that each is a revision. */
const nth = (n: number) => ({ ...summary, monitorUCID: '41781234567890123', Comments: `Called ${n} times` });

/** Storing one delivery more of a call that has some. */
export const deliveries = (standIn: StandIn): Subject => {
  const post = postedReceiver(standIn);
  const known = new Set<string>();

  const bringBack = async (count: number): Promise<void> => {
    const name = `${count} deliveries`;
    await standIn.restore(name);
    if (known.has(name)) return;
    for (let n = 1; n <= count; n++) await post(nth(n), 1);
    await standIn.keep(name);
    known.add(name);
  };

  return {
    name: 'delivery',
    counted: 'deliveries of the call, the new one included',
    sizes: [1, 2, 5, 10, 20, 50, 100, 150, 200],
    // The first one has nothing to read.
    base: 2,
    visit: (size, measured) =>
      measured('one more', { prepare: () => bringBack(size - 1), run: () => post(nth(size), 1) }),
  };
};
