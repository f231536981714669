import { between, chance, pick, type Random, seededRandom } from '../../../sandbox/simulator/random.ts';
import { callbackSecret } from '../accounts.ts';
import { plain, type Style, written } from '../json/node.ts';
import { type Mutation, mutated } from '../mutation.ts';
import { baseRecord } from './base-records.ts';
import { httpMutations } from './mutate-http.ts';
import { recordMutations } from './mutate-record.ts';
import { rootMutations } from './mutate-root.ts';
import { textMutations } from './mutate-text.ts';
import { oddCarriers } from './odd-carriers.ts';
import type { Posted } from './posted.ts';
import { usualCarriers } from './usual-carriers.ts';

/** A request that nobody should have to expect, and by which changes it came about. */
export interface HostileRequest {
  /** Whether it goes to the deployment that has a callback secret. */
  readonly deployment: 'open' | 'secret';
  readonly posted: Posted;
  readonly marks: readonly string[];
}

const styles: readonly Style[] = [
  plain,
  plain,
  { ...plain, space: ' ' },
  { ...plain, space: '\r\n\t' },
  { ...plain, quoted: (text) => JSON.stringify(text).replaceAll('/', '\\/') },
  {
    ...plain,
    quoted: (text) =>
      JSON.stringify(text).replace(
        /[^\x20-\x7e]|[&'+<>]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
  },
];

/** The generator of one case: alone it gives what it gives among all others. */
export const randomOf = (seed: number, number: number): Random =>
  seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));

const makeRequest = (random: Random): HostileRequest => {
  const marks: string[] = [];
  const changed = <Of>(given: Of, mutations: readonly Mutation<Of>[], times: number): Of =>
    mutated(random, given, { mutations, times, marks });
  const times = (probability: number): number => Number(chance(random, probability));

  const record = changed(baseRecord(random), recordMutations, pick(random, [0, 1, 1, 1, 2, 3, 6]));
  const root = changed(record, rootMutations, times(0.15));
  const text = changed(written(root, pick(random, styles)), textMutations, times(0.12));
  const carrier = pick(random, chance(random, 0.25) ? oddCarriers : usualCarriers);
  marks.push(carrier.name);
  const deployment = chance(random, 0.25) ? 'secret' : 'open';
  const carried = { ...carrier.carry(random, text), ...(deployment === 'secret' && { secret: callbackSecret }) };
  return { deployment, posted: changed(carried, httpMutations, times(0.15)), marks };
};

/** The request of a number; the same for the same seed. */
export const hostileRequest = (seed: number, number: number): HostileRequest => makeRequest(randomOf(seed, number));

/** A number that is drawn for a case beside the request itself. */
export const drawn = (seed: number, number: number, most: number): number => between(randomOf(~seed, number), 0, most);
