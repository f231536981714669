import { between, chance, pick, type Random, seededRandom } from '../../../sandbox/simulator/random.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { posts } from '../posts/posts.ts';
import { callbackSecret } from './accounts.ts';
import { oddCarriers, type Posted, usualCarriers } from './carriers.ts';
import { type JsonNode, type Mutation, mutated, nodeOf, plain, type Style, written } from './json.ts';
import { recordMutations, rootMutations } from './mutate-json.ts';
import { httpMutations, textMutations } from './mutate-post.ts';

/** How many of the simulator's posts everything starts from. */
const simulated = 300;

/** The JSON in a post of the simulator; none where the post is a form of another kind. */
const jsonIn = ({
  body,
  query,
  contentType,
}: {
  body: string;
  query: string;
  contentType: string;
}): readonly string[] => {
  if (contentType.startsWith('application/json')) return [body];
  return new URLSearchParams(body === '' ? query : body).getAll('data');
};

const ofSimulator = (): readonly JsonNode[] => {
  const series = posts(seededRandom(1));
  const all = Array.from({ length: simulated }, () => series.next().value);
  return all.flatMap(jsonIn).map(nodeOf);
};

const ofPaper: readonly JsonNode[] = [
  specificationSummary,
  { ...specificationSummary, Apikey: 'other-key-31c9', UserName: 'other' },
  [specificationSummary, specificationParticipant],
  [specificationParticipant],
].map((value) => nodeOf(JSON.stringify(value)));

let pool: readonly JsonNode[] | undefined;

/** What is really sent: by the simulator with all its quirks, or as on paper. The same in every run. */
const baseRecord = (random: Random): JsonNode => {
  pool ??= [...ofSimulator(), ...Array.from({ length: 10 }, () => ofPaper).flat()];
  return pick(random, pool);
};

/** A request that nobody should have to expect, and by which changes it came about. */
export interface FuzzedRequest {
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

const makeRequest = (random: Random): FuzzedRequest => {
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
export const fuzzedRequest = (seed: number, number: number): FuzzedRequest => makeRequest(randomOf(seed, number));

/** A number that is drawn for a case beside the request itself. */
export const drawNumber = (seed: number, number: number, most: number): number =>
  between(randomOf(~seed, number), 0, most);
