import * as z from 'zod';
import { type RejectionReason, rejectionResponses } from '../../../lib/callback/rejections.ts';
import type { Facts } from '../../../lib/core/objects.ts';
import { tryParseJson } from '../../../lib/core/parse-json.ts';
import { callbackSecret, secrets } from './accounts.ts';
import { bytesOf } from './carriers.ts';
import type { FuzzedRequest } from './fuzzed-request.ts';
import { leakedSecrets, textsIn } from './leaks.ts';
import { lostValues, sentValues } from './lost-values.ts';
import type { Answered, Trial } from './receiver.ts';
import { beyondLimits } from './row-limits.ts';

const deliveriesIn = ({ calls }: Trial): number =>
  calls.reduce((sum, { deliveries }) => sum + (Array.isArray(deliveries) ? deliveries.length : 0), 0);

/** Rows that count strangers' posts hold no body. */
const entriesIn = ({ quarantine }: Trial): number => quarantine.filter(({ body }) => body !== undefined).length;

const sumOf = (replies: readonly Reply[], name: 'stored' | 'quarantined'): number =>
  replies.reduce((sum, reply) => sum + reply[name], 0);

/** Whether as much is kept as the replies say, and nothing of what was refused without being kept. */
const miscounted = (trial: Trial, replies: readonly Reply[]): readonly string[] => {
  const stored = sumOf(replies, 'stored');
  const quarantined = sumOf(replies, 'quarantined');
  const entries = entriesIn(trial);
  const failures: string[] = [];

  if (deliveriesIn(trial) !== stored)
    failures.push(`${stored} stored by the reply, ${deliveriesIn(trial)} in the rows`);
  // The same content twice is one row.
  if (entries > quarantined || (entries === 0 && quarantined > 0))
    failures.push(`${quarantined} quarantined by the reply, ${entries} in the rows`);
  if (trial.parked > 0) failures.push(`${trial.parked} parked, though no table was down`);
  for (const { status, reason, stored: taken, duplicates, quarantined: kept } of replies) {
    if (status === 200 && taken + duplicates + kept === 0) failures.push('Taken, but nothing was stored');
    if (status === 400 && kept === 0) failures.push(`Refused as ${reason} and not kept`);
    if (status !== 200 && status !== 400 && taken + duplicates + kept > 0)
      failures.push(`Refused as ${reason}, yet kept`);
  }
  return failures;
};

const count = z.int().nonnegative();
const counts = { stored: count, duplicates: count, quarantined: count, parked: count.optional() };

const reasons = Object.keys(rejectionResponses) as readonly RejectionReason[];
const Taken = z.strictObject(counts);
const Refused = z.strictObject({ error: z.enum(reasons), message: z.string(), ...counts });
const Answer = z.object({
  statusCode: z.int(),
  headers: z.strictObject({ 'content-type': z.literal('application/json'), 'cache-control': z.literal('no-store') }),
  body: z.string(),
});

/** A reply of the documented form; none where the function failed or answered something else. */
export interface Reply {
  readonly status: number;
  readonly reason: RejectionReason | undefined;
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
}

/** Reasons that are no fault of a post: here every table works and the accounts can be read. */
const never: readonly RejectionReason[] = ['accounts-not-set-up', 'accounts-unavailable', 'stores-unavailable'];

/** The reply, or what is wrong with it. */
const readReply = (answered: Answered): Reply | string => {
  if ('thrown' in answered) return `It threw ${String(answered.thrown)}`;
  const answer = Answer.safeParse(answered.answer);
  if (!answer.success) return 'The answer is none that API Gateway takes, or lacks its headers';

  const { statusCode: status, body } = answer.data;
  const told = tryParseJson(body);
  const taken = Taken.safeParse(told);
  if (status === 200)
    return taken.success ? { status, reason: undefined, ...taken.data } : `200 with ${body.slice(0, 200)}`;

  const refused = Refused.safeParse(told);
  if (!refused.success) return `${status} with ${body.slice(0, 200)}`;
  const { error: reason, message, ...counted } = refused.data;
  const declared = rejectionResponses[reason];
  if (declared.status !== status || declared.message !== message || never.includes(reason))
    return `${status} for the reason ${reason}`;
  return { status, reason, ...counted };
};

/** By the README: this much of what a stranger sends is kept. */
const strangersBytes = 16 * 1024;

/** Whether anybody could take the sender for an account's: by the secret address, or where that is open by a live key. */
const mayBeBelieved = ({ deployment, posted: { secret, query, body } }: FuzzedRequest): boolean =>
  deployment === 'secret'
    ? secret === callbackSecret
    : leakedSecrets(query, secrets).length + leakedSecrets(body?.toString() ?? '', secrets).length > 0;

const isAnAccounts = ({ account, viaSecret }: Facts): boolean => account !== undefined || viaSecret !== undefined;

/** What strangers got: a call in somebody's name, a place in quarantine as somebody, or more room there than is theirs. */
const unauthorisedEffects = (request: FuzzedRequest, { calls, quarantine }: Trial): readonly string[] => {
  const tooLong = quarantine.filter(
    (row) => !isAnAccounts(row) && Buffer.byteLength(String(row['body'] ?? '')) > strangersBytes,
  );
  const long = tooLong.map(() => 'More than 16 KB of a stranger’s post is kept');
  if (mayBeBelieved(request)) return long;
  return [
    ...long,
    ...(calls.length > 0 ? ['A stranger’s call is stored'] : []),
    ...(quarantine.some(isAnAccounts) ? ['A stranger’s post is kept as an account’s'] : []),
    ...(request.deployment === 'secret' && quarantine.length > 0 ? ['A post to a wrong address is kept'] : []),
  ];
};

/** What came of a trial: what was answered, and each guarantee that did not hold. */
export interface Verdict {
  readonly replies: readonly Reply[];
  readonly breaches: readonly string[];
}

/** To look for each value in what is kept takes long where there is much of it. */
const searchedBytes = 64 * 1024;

const leaks = (trial: Trial): readonly string[] => {
  const kept = textsIn([trial.calls, trial.quarantine]).join('\n');
  const told = [...trial.lines, JSON.stringify(trial.answers)].join('\n');
  const all = [...secrets, callbackSecret];
  return [
    ...leakedSecrets(kept, all).map((secret) => `The secret ${secret} is in a row`),
    ...leakedSecrets(told, all).map((secret) => `The secret ${secret} is in a log or reply`),
  ];
};

const faults = ({ lines }: Trial): readonly string[] =>
  lines.filter((line) => line.includes('"level":"error"')).map((line) => `An error was logged: ${line.trim()}`);

/** Holds everything that came of a request against what is promised of any request. */
export const judgeTrial = (request: FuzzedRequest, trial: Trial): Verdict => {
  const { posted } = request;
  const read = trial.answers.map(readReply);
  const replies = read.filter((reply) => typeof reply !== 'string');
  const unreadable = read.filter((reply) => typeof reply === 'string');
  const sent = bytesOf(posted) <= searchedBytes ? sentValues(posted) : undefined;
  const isKept = replies.some(({ status }) => status === 200 || status === 400);

  const breaches = [
    ...unreadable,
    ...trial.polluted,
    ...(unreadable.length > 0 ? [] : miscounted(trial, replies)),
    ...leaks(trial),
    ...unauthorisedEffects(request, trial),
    ...faults(trial),
    ...beyondLimits('calls', trial.calls),
    ...beyondLimits('quarantine', trial.quarantine),
    ...(sent !== undefined && isKept && unreadable.length === 0 ? lostValues(sent, trial) : []),
  ];
  return { replies, breaches };
};
