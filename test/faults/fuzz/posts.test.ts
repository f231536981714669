import { it } from 'vitest';
import * as z from 'zod';
import { type RejectionReason, rejectionResponses } from '../../../lib/callback/reply.ts';
import { tryParseJson } from '../../../lib/core/json.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { decompressed } from '../../support/posted-records.ts';
import { isFull, must, mustHappen, show, tryCases } from '../property.ts';
import {
  type Answered,
  callbackSecret,
  createReceiver,
  leakedSecrets,
  notStorable,
  secrets,
  secretsIn,
  type Trial,
  textsIn,
} from './receiver.ts';
import { bodyTextOf, bytesOf, eventOf, posts, type TriedRequest } from './requests.ts';
import { isTruncated, lostValues, sentValues } from './sent-values.ts';

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

const outcomesOf = (replies: readonly Reply[], quarantine: readonly Row[]) => [
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

const receivers = { open: createReceiver('open'), secret: createReceiver('secret') };

const isHandled = async (request: TriedRequest) => {
  const { deployment, posted, times } = request;
  const trial = await receivers[deployment].receive(...Array.from({ length: times }, () => eventOf(posted)));
  const { replies, violations } = judgeTrial(request, trial);
  must(violations.length === 0, () => violations.join());
  must((replies[1]?.stored ?? 0) === 0, () => 'A repeat was stored');
  return Object.fromEntries(outcomesOf(replies, trial.quarantine).map((outcome) => [outcome, 1]));
};

/** Reasons that only the posts of known senders have. */
const ofKnownSenders = ['too-many-records', 'participant-without-call', 'mixed-accounts', 'unknown-user'];
/** Reasons of other methods, and of single records. */
const otherwise = ['method-not-allowed', 'not-storable'];

/** Every outcome of a post. If no case reaches one of them, the changes are too wild. */
const outcomes = [
  ...['stored', 'duplicate', 'quarantined: not-storable', 'quarantined, compressed', 'quarantined, truncated'],
  ...reasons
    .filter((reason) => ![...never, ...otherwise].includes(reason))
    .map((reason) => `${ofKnownSenders.includes(reason) ? 'acknowledged' : 'rejected'}: ${reason}`),
];

it('every post is stored, quarantined or rejected with a reason; nothing of it is lost, and no key is in a row or log', async () => {
  const counters = await tryCases(posts, isFull ? 92_000 : 600, isHandled);
  show('posts', counters);
  mustHappen(counters, ...(isFull ? outcomes : ['stored', 'duplicate', 'acknowledged: unknown-user']));
});
