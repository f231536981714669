import fc from 'fast-check';
import type { Post } from '../../../sandbox/simulator/posts.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { posts as simulatedSeries } from '../../fixtures/simulated-centre.ts';
import { recordChanges, rootChanges, textChanges } from './changes.ts';
import { type JsonNode, nodeOf, sometimes, styles, written } from './json-nodes.ts';
import { callbackSecret } from './receiver.ts';
import { carriers, httpChanges, type Posted } from './requests.ts';

const simulatedPosts = 300;

/** The JSON in a post of the simulator; none in other forms. */
const jsonIn = ({ body, query, contentType }: Post): readonly string[] => {
  if (contentType.startsWith('application/json')) return [body];
  return new URLSearchParams(body === '' ? query : body).getAll('data');
};

const series = simulatedSeries(seededRandom(1));
const simulated = Array.from({ length: simulatedPosts }, () => series.next().value)
  .flatMap(jsonIn)
  .map(nodeOf);

const specified: readonly JsonNode[] = [
  specificationSummary,
  { ...specificationSummary, Apikey: 'other-key-31c9', UserName: 'other' },
  [specificationSummary, specificationParticipant],
  [specificationParticipant],
].map((value) => nodeOf(JSON.stringify(value)));

/** What is really sent: by the simulator with all its quirks, and as specified. */
const realPosts: readonly JsonNode[] = [...simulated, ...Array.from({ length: 10 }, () => specified).flat()];

/** A request, and the deployment that it is sent to. */
export interface TriedRequest {
  /** Whether it has a callback secret. */
  readonly deployment: 'open' | 'secret';
  readonly posted: Posted;
  /** How often it comes: a repeat must change nothing. */
  readonly times: number;
}

/** A post that starts from a real one. */
export const posts: fc.Arbitrary<TriedRequest> = fc
  .record({
    root: fc.constantFrom(...realPosts),
    record: sometimes(recordChanges, 85, 4),
    change: sometimes(rootChanges, 15),
    style: styles,
    text: sometimes(textChanges, 12),
    carry: carriers,
    http: sometimes(httpChanges, 15),
    // One in four has a callback secret, one in twenty comes twice.
    deployment: fc.constantFrom('open', 'open', 'open', 'secret'),
    times: fc.nat(19).map((drawn) => (drawn === 19 ? 2 : 1)),
  })
  .map(({ root, record, change, style, text, carry, http, deployment, times }) => {
    const plain = carry(text(written(change(record(root)), style)));
    const posted = http(deployment === 'secret' ? { ...plain, secret: callbackSecret } : plain);
    const shown = () => JSON.stringify({ deployment, times, ...posted, body: posted.body?.toString() }).slice(0, 4_000);
    return { deployment, times, posted, [fc.toStringMethod]: shown };
  });
