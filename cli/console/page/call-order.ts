import { isMissed, lastedSecondsOf } from '../../../lib/contract/rules.ts';
import type { ShownCall } from '../calls.ts';
import type { Address } from './hash.ts';

type Order = readonly [text: string, by: (call: ShownCall) => string | number | undefined];

const largestFirst = (value: number | undefined) => value && -value;

const orders: Readonly<Record<string, Order>> = {
  oldest: ['oldest first', ({ listedAt }) => listedAt],
  longest: ['longest first', (call) => largestFirst(lastedSecondsOf(call))],
  answer: ['slowest answer first', ({ timeToAnswerSeconds }) => largestFirst(timeToAnswerSeconds)],
  talk: ['longest talk first', ({ durationSeconds }) => largestFirst(durationSeconds)],
  status: ['by status', (call) => (isMissed(call) ? 'missed' : call.status)],
  agent: ['by agent', ({ agentIds }) => agentIds?.join(', ')],
  skill: ['by skill', ({ skillName }) => skillName],
  disposition: ['by disposition', ({ dispositions }) => dispositions?.join(', ')],
};

/** The calls in the order that the address asks for: the newest first if it names none. Calls without a value come last. */
export const sorted = (calls: readonly ShownCall[], { query: { sort = '' } }: Address): readonly ShownCall[] => {
  const by = Object.hasOwn(orders, sort) ? orders[sort]?.[1] : undefined;
  if (by === undefined) return calls;
  return calls.toSorted((one, other) => {
    const a = by(one);
    const b = by(other);
    if (a === b) return 0;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return a < b ? -1 : 1;
  });
};

export const orderOptions = Object.entries(orders).map(([name, [text]]) => [name, text] as const);
