import { expect } from 'vitest';
import { deliveryOf, type Facts } from '../../../lib/record/delivery.ts';
import { type MergeRules, merge } from '../../../lib/record/merge.ts';

/** What deliveries make, received one a second in the order given; handing them over backwards makes no difference. */
export const mergedBy = (rules: MergeRules, said: readonly Facts[]): Facts => {
  const deliveries = said.map((facts, second) => deliveryOf(facts, `2026-11-20T06:00:0${second}.000Z`));
  const merged = merge(deliveries, rules);

  expect(merge(deliveries.toReversed(), rules)).toEqual(merged);
  return merged;
};
