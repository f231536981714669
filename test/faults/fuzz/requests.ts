import fc from 'fast-check';
import type { Row } from '../../../lib/storage/rows.ts';
import type { Post } from '../../../sandbox/simulator/posts.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { weighted } from '../../support/arbitraries.ts';
import { type ModelDefinition, must } from '../models/model.ts';
import { posts } from '../posts.ts';
import { bytesOf, eventOf, oddCarriers, type Posted, usualCarriers } from './carriers.ts';
import { isTruncated } from './lost-values.ts';
import { httpChanges, recordChanges, rootChanges, textChanges } from './mutate-post.ts';
import {
  applied,
  type Change,
  changeOf,
  changesOf,
  type JsonNode,
  mutated,
  nodeOf,
  styles,
  written,
} from './mutation.ts';
import { createReceiver, type Receiver } from './receiver.ts';
import { callbackSecret } from './stored-values.ts';
import { judgeTrial, type Verdict } from './verdict.ts';

/** A post that starts from a real one, as plain data. */
interface FuzzedRequest {
  readonly base: number;
  readonly record: readonly Change[];
  readonly root: readonly Change[];
  readonly text: readonly Change[];
  readonly style: number;
  readonly carrier: Change;
  readonly http: readonly Change[];
  /** Whether the deployment has a callback secret. */
  readonly deployment: 'open' | 'secret';
  /** A repeat must change nothing. */
  readonly isRepeated: boolean;
}

const carriers = [...usualCarriers, ...oddCarriers];

const oneIn = (count: number) => weighted([count - 1, fc.constant(false)], [1, fc.constant(true)]);

const fuzzedRequest: fc.Arbitrary<FuzzedRequest> = fc.record({
  base: fc.nat(9_999),
  record: changesOf(recordChanges, 85, 4),
  root: changesOf(rootChanges, 15),
  text: changesOf(textChanges, 12),
  style: fc.nat(styles.length - 1),
  carrier: weighted([3, changeOf(usualCarriers)], [1, changeOf(oddCarriers)]),
  http: changesOf(httpChanges, 15),
  deployment: oneIn(4).map((isSecret) => (isSecret ? 'secret' : 'open')),
  isRepeated: oneIn(20),
});

const postedOf = ({ base, record, root, text, style, carrier, http, deployment }: FuzzedRequest): Posted => {
  const real = realPosts();
  const node = mutated(rootChanges, mutated(recordChanges, real[base % real.length] ?? [], record), root);
  const json = mutated(textChanges, written(node, styles[style]), text);
  const posted = applied(carriers, json, carrier);
  return mutated(httpChanges, deployment === 'secret' ? { ...posted, secret: callbackSecret } : posted, http);
};

const simulatedPosts = 300;

/** The JSON in a post of the simulator; none in other forms. */
const jsonIn = ({ body, query, contentType }: Post): readonly string[] => {
  if (contentType.startsWith('application/json')) return [body];
  return new URLSearchParams(body === '' ? query : body).getAll('data');
};

const specified: readonly JsonNode[] = [
  specificationSummary,
  { ...specificationSummary, Apikey: 'other-key-31c9', UserName: 'other' },
  [specificationSummary, specificationParticipant],
  [specificationParticipant],
].map((value) => nodeOf(JSON.stringify(value)));

let pool: readonly JsonNode[] | undefined;

/** What is really sent: by the simulator with all its quirks, and as specified. The same in every run. */
const realPosts = (): readonly JsonNode[] => {
  if (pool !== undefined) return pool;
  const series = posts(seededRandom(1));
  const simulated = Array.from({ length: simulatedPosts }, () => series.next().value)
    .flatMap(jsonIn)
    .map(nodeOf);
  pool = [...simulated, ...Array.from({ length: 10 }, () => specified).flat()];
  return pool;
};

let receivers: Readonly<Record<FuzzedRequest['deployment'], Receiver>> | undefined;

const outcomesOf = ({ replies }: Verdict, quarantine: readonly Row[]) => [
  ...replies.map(({ status, reason, stored }) => {
    if (reason === undefined || stored > 0) return stored > 0 ? 'stored' : 'duplicate';
    return `${status === 200 ? 'acknowledged' : 'rejected'}: ${reason}`;
  }),
  ...quarantine.flatMap((row) => [
    ...(row['reason'] === undefined ? [] : [`quarantined: ${String(row['reason'])}`]),
    ...(row['storedAs'] === undefined ? [] : ['quarantined, compressed']),
    ...(isTruncated(row) ? ['quarantined, truncated'] : []),
  ]),
];

/** Posts of any shape to the receiver, each judged by what is promised of every post. */
export const requests: ModelDefinition<FuzzedRequest> = {
  name: 'requests',
  histories: fuzzedRequest,
  async play(request, log = () => undefined) {
    receivers ??= { open: createReceiver('open'), secret: createReceiver('secret') };
    const posted = postedOf(request);
    const { deployment, isRepeated } = request;
    const trial = await receivers[deployment].receive(eventOf(posted), ...(isRepeated ? [eventOf(posted)] : []));
    log(
      `headers: ${JSON.stringify(posted.headers)}; query: ${posted.query}; body: ${posted.body?.toString() ?? '(none)'}`,
    );
    log(JSON.stringify({ answers: trial.answers, calls: trial.calls, quarantine: trial.quarantine }, undefined, 2));

    const verdict = judgeTrial({ deployment, posted }, trial);
    const [violation] = verdict.violations;
    must(violation === undefined, () => violation ?? '');
    must(!isRepeated || (verdict.replies[1]?.stored ?? 0) === 0, () => 'A repeat was stored');
    const counters: Record<string, number> = { 'CPU µs': trial.cpuMicroseconds, bytes: bytesOf(posted) };
    for (const outcome of outcomesOf(verdict, trial.quarantine)) counters[outcome] = (counters[outcome] ?? 0) + 1;
    return counters;
  },
};
