import { pick, type Random, seededRandom } from '../../../sandbox/simulator/random.ts';
import { specificationSummary } from '../../../test/fixtures/call-summaries.ts';
import { specificationParticipant } from '../../../test/fixtures/participants.ts';
import { posts } from '../../posting/posts.ts';
import { type JsonNode, nodeOf } from '../json/node.ts';

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
export const baseRecord = (random: Random): JsonNode => {
  pool ??= [...ofSimulator(), ...Array.from({ length: 10 }, () => ofPaper).flat()];
  return pick(random, pool);
};
