import fc from 'fast-check';
import * as z from 'zod';
import { type RejectionReason, rejectionResponses } from '../../../lib/callback/reply.ts';
import { tryParseJson } from '../../../lib/core/json.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import type { Post } from '../../../sandbox/simulator/posts.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { posts } from '../../fixtures/simulated-centre.ts';
import { weighted } from '../../support/arbitraries.ts';
import { decompressed } from '../../support/posted-records.ts';
import { type ModelDefinition, must } from '../models/model.ts';
import { bodyTextOf, bytesOf, eventOf, oddCarriers, type Posted, usualCarriers } from './carriers.ts';
import { isTruncated, lostValues, sentValues } from './lost-values.ts';
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
import {
  type Answered,
  callbackSecret,
  createReceiver,
  leakedSecrets,
  notStorable,
  type Receiver,
  secrets,
  secretsIn,
  type Trial,
  textsIn,
} from './receiver.ts';

const deliveriesIn = ({ calls }: Trial): number =>
  calls.reduce((sum, { deliveries }) => sum + (Array.isArray(deliveries) ? deliveries.length : 0), 0);

const sumOf = (replies: readonly Reply[], name: 'stored' | 'quarantined'): number =>
  replies.reduce((sum, reply) => sum + reply[name], 0);

/** Whether as much is stored as the replies say, and nothing of what was rejected without quarantine. */
const miscounted = (trial: Trial, replies: readonly Reply[]): readonly string[] => {
  const stored = sumOf(replies, 'stored');
  const quarantined = sumOf(replies, 'quarantined');
  const entries = trial.quarantine.length;
  const failures: string[] = [];

  if (deliveriesIn(trial) !== stored)
    failures.push(`${stored} stored by the reply, ${deliveriesIn(trial)} in the rows`);
  // The same content twice is one row.
  if (entries > quarantined || (entries === 0 && quarantined > 0))
    failures.push(`${quarantined} quarantined by the reply, ${entries} in the rows`);
  if (trial.parked > 0) failures.push(`${trial.parked} parked, though no table was down`);
  return [...failures, ...replies.flatMap(contradictionsIn)];
};

/** Where the counts of a reply contradict its status or its reason. */
const contradictionsIn = ({ status, reason, stored, duplicates, quarantined }: Reply): readonly string[] => {
  const kept = stored + duplicates + quarantined;
  if (status !== 200) return kept > 0 ? [`Rejected as ${reason}, and yet stored`] : [];
  if (kept === 0) return [`Answered ${status} (${reason}), but nothing was stored`];
  return (reason === undefined) === (quarantined === 0)
    ? []
    : [`${quarantined} quarantined, and the reason is ${reason}`];
};

const count = z.int().nonnegative();
const counts = { stored: count, duplicates: count, quarantined: count, parked: count.optional() };

const reasons = Object.keys(rejectionResponses) as readonly RejectionReason[];
const Understood = z.strictObject(counts);
const Explained = z.strictObject({ ...counts, reason: z.enum(reasons), message: z.string() });
const Answer = z.object({
  statusCode: z.int(),
  headers: z.strictObject({ 'content-type': z.literal('application/json'), 'cache-control': z.literal('no-store') }),
  body: z.string(),
});

interface Reply {
  readonly status: number;
  readonly reason: RejectionReason | undefined;
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
}

/** Reasons that no post can cause: here every table works and the accounts can be read. */
const never: readonly RejectionReason[] = ['accounts-not-set-up', 'accounts-unavailable', 'stores-unavailable'];

/** The reply, or why it is none. */
const readReply = (answered: Answered): Reply | string => {
  if ('thrown' in answered) return `It threw ${String(answered.thrown)}`;
  const answer = Answer.safeParse(answered.answer);
  if (!answer.success) return 'The answer is not valid for API Gateway, or lacks its headers';

  const { statusCode: status, body } = answer.data;
  const reply = tryParseJson(body);
  const understood = Understood.safeParse(reply);
  if (status === 200 && understood.success) return { status, reason: undefined, ...understood.data };

  const explained = Explained.safeParse(reply);
  if (!explained.success) return `${status} with ${body.slice(0, 200)}`;
  const { reason, message, ...counted } = explained.data;
  const declared = rejectionResponses[reason];
  if (![200, declared.status].includes(status) || declared.message !== message || never.includes(reason))
    return `${status} for the reason ${reason}`;
  return { status, reason, ...counted };
};

/** Whether the request has credentials: the secret address, or a live key where there is no secret address. */
const hasCredentials = ({ deployment, posted }: TriedRequest): boolean =>
  deployment === 'secret'
    ? posted.secret === callbackSecret
    : [posted.query.replace(/\0|%00/g, ''), bodyTextOf(posted)].some((text) => secretsIn(text, secrets).length > 0);

/** A stranger leaves nothing behind. */
const unauthorisedEffects = (request: TriedRequest, { calls, quarantine }: Trial): readonly string[] =>
  hasCredentials(request) || calls.length + quarantine.length === 0 ? [] : ['Something of a stranger’s post is stored'];

interface Verdict {
  readonly replies: readonly Reply[];
  readonly violations: readonly string[];
}

/** Searching every value takes too long in larger posts. */
const maxSearchedBytes = 64 * 1024;

const leaks = (trial: Trial): readonly string[] => {
  const stored = decompressed(textsIn([trial.calls, trial.quarantine]).join('\n'));
  const written = [...trial.lines, JSON.stringify(trial.answers)].join('\n');
  const all = [...secrets, callbackSecret];
  return [
    ...leakedSecrets(stored, all).map((secret) => `The secret ${secret} is in a row`),
    ...leakedSecrets(written, all).map((secret) => `The secret ${secret} is in a log or reply`),
  ];
};

const faults = ({ lines }: Trial): readonly string[] =>
  lines.filter((line) => line.includes('"level":"error"')).map((line) => `An error was logged: ${line.trim()}`);

/** A request, and the deployment that it is sent to. */
interface TriedRequest {
  readonly deployment: 'open' | 'secret';
  readonly posted: Posted;
}

const judgeTrial = (request: TriedRequest, trial: Trial): Verdict => {
  const { posted } = request;
  const read = trial.answers.map(readReply);
  const replies = read.filter((reply) => typeof reply !== 'string');
  const unreadable = read.filter((reply) => typeof reply === 'string');
  const sent = bytesOf(posted) <= maxSearchedBytes ? sentValues(posted) : undefined;
  const isStored = replies.some(({ status }) => status === 200);

  const violations = [
    ...unreadable,
    ...trial.polluted,
    ...(unreadable.length > 0 ? [] : miscounted(trial, replies)),
    ...leaks(trial),
    ...unauthorisedEffects(request, trial),
    ...faults(trial),
    ...notStorable([...trial.calls, ...trial.quarantine]),
    ...(sent !== undefined && isStored && unreadable.length === 0 ? lostValues(sent, trial) : []),
  ];
  return { replies, violations };
};

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
