import type { Leaf } from '../leaves.ts';
import { around, notLater, type Part } from '../opening.ts';
import type { Answered, Rule } from '../rules.ts';

/* A call, what each delivery made of it, and what became of it. */

const startOfCall = async ({ lists, centre }: Answered, id: string | undefined): Promise<string> => {
  const { call } = await lists.once(`whole ${id}`, () => centre.ask('call', { id }));
  return call.facts.startedAt;
};

/** From one call to the other; none where the other one was under way. */
const secondsLater = (from: string, to: string): number => Math.max(0, (Date.parse(to) - Date.parse(from)) / 1_000);

const isOfRevision = ({ revision }: Part): boolean => revision !== undefined;

const revisionOf = (leaf: Leaf): number => around(leaf, 0).deliveries.filter(isOfRevision).length;

/** Each delivery that changed something made a revision. */
const revisionOfDelivery = (leaf: Leaf): number => {
  const { deliveries } = around(leaf, 2);
  return deliveries.slice(0, around(leaf, 1).index + 1).filter(({ after }: Part) => Object.keys(after).length > 0)
    .length;
};

export const callRules: readonly Rule[] = [
  [/^call\.(call|participants\[\])\.revision$/, revisionOf],
  [/^call\.(call|participants\[\])\.deliveries\[\]\.revision$/, revisionOfDelivery],
  [/^call\./, 'a fact of the call as it is stored, which counts nothing'],
  [/^call-wait\.wait\.asOf$/, notLater],
  [
    /^call-wait\.wait\.missed\.openSeconds$/,
    (leaf, { answer }) => secondsLater(around(leaf, 0).since, answer.wait.asOf),
  ],
  [
    /^call-wait\.wait\.missed\.endedBy\.afterSeconds$/,
    (leaf) => secondsLater(around(leaf, 1).since, around(leaf, 0).listedAt),
  ],
  [
    /^call-wait\.wait\.ended\[\]\.afterSeconds$/,
    async (leaf, of) => secondsLater(around(leaf, 0).listedAt, await startOfCall(of, of.query['id'])),
  ],
  [/^call-wait\.wait\.missed\.since$/, (_leaf, of) => startOfCall(of, of.query['id'])],
  [/^call-wait\.wait\..*\.listedAt$/, (leaf, of) => startOfCall(of, around(leaf, 0).callId)],
  [/^call-wait\.wait\..*\.callId$/, 'the id of a call, whose start stands beside it'],
];
