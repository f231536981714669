import { between, digitsOf, type Random } from '../random.ts';
import { bare } from '../summary/value.ts';
import type { Choosable } from './choose.ts';
import type { FieldQuirk } from './field-quirk.ts';

/** A habit with the id of a call: how long it is, and whether it is written as a bare number. */
export interface IdentifierQuirk extends FieldQuirk {
  readonly digits: (random: Random) => string;
}

/** Text of 14 to 17 digits: the rule. */
export const ordinaryId = (random: Random): string => digitsOf(random, between(random, 14, 17));

// Odd and beyond 2^54, so that no double holds it: whoever parses it as a number has another number.
const unsafeId = (random: Random): string => `9${digitsOf(random, 15)}${1 + 2 * between(random, 0, 4)}`;

const bareId: FieldQuirk['prepare'] =
  () =>
  ({ monitorUCID, ...others }) => ({
    monitorUCID: typeof monitorUCID === 'string' ? bare(monitorUCID) : null,
    ...others,
  });

/** Habits with identifiers. */
export const identifierQuirks = [
  { name: 'number-id', probability: 0.12, digits: unsafeId, prepare: bareId },
  { name: 'long-id', probability: 0.03, digits: (random) => digitsOf(random, 20), prepare: () => (fields) => fields },
  {
    name: 'long-number-id',
    probability: 0.02,
    digits: (random) => `${digitsOf(random, 3)}${unsafeId(random)}`,
    prepare: bareId,
  },
] as const satisfies readonly (IdentifierQuirk & Choosable)[];
