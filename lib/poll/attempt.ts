import { arrived, claimAgain } from '../feed/claim.ts';
import type { PollFailure } from '../feed/problem.ts';
import { type Floor, writeFeed } from '../floor/floor.ts';
import { fail, ok, type Result } from '../result.ts';
import { ask, isPassing } from './ask.ts';
import type { Outcome } from './conclude.ts';
import type { Run } from './run.ts';

/** What came of asking, and the feed with what is known of its requests. */
export interface Attempt extends Outcome {
  readonly floor: Floor;
}

/**
 * Asks, and where that fails for the moment or for an old token, once more, if the limit leaves room for it. Undefined
 * if somebody else has taken over.
 */
export const attempt = async (run: Run, claimed: Floor): Promise<Attempt | undefined> => {
  const token = await run.bearer(run.account);
  if (!token.ok) return { floor: claimed, askedAt: run.clock(), seen: token };

  const first = await askOnce(run, claimed, token.value);
  if (first.seen.ok) return first;
  const next = await tokenForAnother(run, token.value, first.seen.problem);
  if (!next.ok) return { ...first, seen: next };

  const feed = claimAgain(first.floor.feed, first.askedAt, { now: run.clock(), untilMs: run.untilMs });
  if (feed === undefined)
    return next.value === token.value ? first : { ...first, seen: fail({ reason: 'token-renewed' }) };
  return (await writeFeed(run, feed)) ? askOnce(run, { ...claimed, feed }, next.value) : undefined;
};

const askOnce = async (run: Run, floor: Floor, token: string | undefined): Promise<Attempt> => {
  const askedAt = run.clock();
  const seen = await ask(run.service, run.account, token);
  return { floor: { ...floor, feed: arrived(floor.feed, run.clock()) }, askedAt, seen };
};

/** The token for a second try: another one where this one was refused. Fails where another try would not help. */
const tokenForAnother = async (
  run: Run,
  token: string | undefined,
  failure: PollFailure,
): Promise<Result<string | undefined, PollFailure>> => {
  if (isPassing(failure)) return ok(token);
  if (failure.reason !== 'unauthorised' || run.account.token.kind !== 'generate') return fail(failure);
  return run.bearer(run.account, token);
};
