import type { Facts } from '../../../lib/record/delivery.ts';

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Each call and participant in a line: its id, how many deliveries it has, and how many revisions they made. */
export const recordLines = (rows: readonly Facts[]): readonly string[] =>
  rows
    .filter(({ kind }) => kind === 'call' || kind === 'participant')
    .map(({ kind, callId, deliveries, revision }) => `${kind} ${callId}: ${countOf(deliveries)} in ${revision}`)
    .sort();
