import { crashes } from './cases/crashes.ts';
import { merging } from './cases/merging.ts';
import { oddities } from './cases/oddities.ts';
import { outages } from './cases/outages.ts';
import { repeats, usual } from './cases/repeats.ts';
import { strangers } from './cases/strangers.ts';
import type { GuaranteeCase } from './guarantee-case.ts';

/** The fault cases that a receiver can meet. */
export const cases: readonly GuaranteeCase[] = [
  usual,
  ...repeats,
  ...merging,
  ...crashes,
  ...outages,
  ...oddities,
  ...strangers,
];
