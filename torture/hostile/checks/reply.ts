import * as z from 'zod';
import { answers, type RefusalReason } from '../../../lib/callback/refusal.ts';
import { parsed } from '../../../lib/json/parsed.ts';
import type { Answered } from '../receiver.ts';

const count = z.int().nonnegative();
const counts = { stored: count, duplicates: count, quarantined: count, parked: count.optional() };

const reasons = Object.keys(answers) as readonly RefusalReason[];
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
  readonly reason: RefusalReason | undefined;
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
}

/** Reasons that are no fault of a post: here every table works and the accounts can be read. */
const never: readonly RefusalReason[] = ['accounts-not-set-up', 'accounts-unavailable', 'stores-unavailable'];

/** The reply, or what is wrong with it. */
export const readReply = (answered: Answered): Reply | string => {
  if ('thrown' in answered) return `It threw ${String(answered.thrown)}`;
  const answer = Answer.safeParse(answered.answer);
  if (!answer.success) return 'The answer is none that API Gateway takes, or lacks its headers';

  const { statusCode: status, body } = answer.data;
  const told = parsed(body);
  const taken = Taken.safeParse(told);
  if (status === 200)
    return taken.success ? { status, reason: undefined, ...taken.data } : `200 with ${body.slice(0, 200)}`;

  const refused = Refused.safeParse(told);
  if (!refused.success) return `${status} with ${body.slice(0, 200)}`;
  const { error: reason, message, ...counted } = refused.data;
  const declared = answers[reason];
  if (declared.status !== status || declared.message !== message || never.includes(reason))
    return `${status} for the reason ${reason}`;
  return { status, reason, ...counted };
};
