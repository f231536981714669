import { maxRecords } from '../../../lib/callback/refusal.ts';
import type { StandIn } from '../stand-in/start-stand-in.ts';
import { example, postedReceiver } from './posted-receiver.ts';
import type { Subject } from './subject.ts';

/** Of longer ones not as many records as may be would fit into one post. */
const missed = example('missed-call');

const listOf = (size: number) =>
  Array.from({ length: size }, (_, index) => ({
    ...missed,
    monitorUCID: `417812345678${String(index).padStart(5, '0')}`,
    CallerID: `0900000${String(index).padStart(4, '0')}`,
  }));

/** Callbacks that are lists of calls nobody has heard of. */
export const records = (standIn: StandIn): Subject => {
  const post = postedReceiver(standIn);
  return {
    name: 'list',
    counted: 'records of the post',
    sizes: [1, 2, 5, 10, 20, 50, 100, 200, 350, maxRecords],
    base: 1,
    visit(size, measured) {
      const list = listOf(size);
      return measured('all new', { prepare: () => standIn.restore('nothing'), run: () => post(list, size) });
    },
  };
};
