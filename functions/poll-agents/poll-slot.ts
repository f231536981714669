import { hasCallbacks } from '../../lib/accounts/accounts.ts';
import { loggedInAgents } from '../../lib/agents/diff-agents.ts';
import { getAgentLogins } from '../../lib/agents/get-agent-logins.ts';
import type { AgentLogins } from '../../lib/agents/normalise-agent.ts';
import type { Poller, PollStatus } from '../../lib/agents/schema.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import {
  isTransient,
  requestArrived,
  requestTimeoutMs,
  type ServiceFailure,
  type TelephonyService,
} from '../../lib/service/service.ts';
import type { GetToken } from '../../lib/service/token-cache.ts';
import {
  type AccountAgents,
  deleteUncommitted,
  readAgents,
  readPollStatus,
  unlessRaceLost,
  writePollStatus,
} from './agent-store.ts';
import { becomesInterrupted, ignoreUnidentified, pollFailed, pollGap, pollSkipped } from './poll-status.ts';
import { type GetReceipts, withoutEndedCalls, withReceipts } from './silence.ts';
import { capacityWaitMs, isSlotTaken, latestSendMs, reserveRetry, reserveSlot } from './slot.ts';
import { finishPending, type WriteRun, writeAgents, writeUnanswered } from './write-agents.ts';

export interface PollRun extends WriteRun {
  readonly service: TelephonyService;
  readonly getToken: GetToken;
  readonly getReceipts: GetReceipts;
  /** The account has another key than the one that the service rejected, so a back-off is void. */
  readonly hasNewKey: boolean;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** How the poll of a slot ended, and the agents as they are stored then; undefined where the run does not know them. */
export interface SlotResult {
  /** `skipped`: the slot is taken, or nothing may be sent in it. `race-lost`: another run wrote the poll status first. */
  readonly kind: 'polled' | 'skipped' | 'race-lost';
  readonly known: AccountAgents | undefined;
}

/** Polls one account's slot: acquires it, fetches the logins, writes what they change. */
export const pollSlot = async (run: PollRun, remembered: AccountAgents | undefined): Promise<SlotResult> =>
  (await unlessRaceLost(acquireAndPoll(run, remembered))) ?? { kind: 'race-lost', known: undefined };

const acquireAndPoll = async (run: PollRun, remembered: AccountAgents | undefined): Promise<SlotResult> => {
  const slot = await acquireSlot(run, remembered);
  if (slot.kind === 'skipped') return slot;
  return { kind: 'polled', known: await writeAnswer(run, await fetchWithRetry(run, slot.known)) };
};

type Acquisition =
  | { readonly kind: 'acquired'; readonly known: AccountAgents }
  | { readonly kind: 'skipped'; readonly known: AccountAgents | undefined };

/**
 * Acquires the present slot of an account. What the run remembers is current if nobody has written the poll status since;
 * the conditional write of the slot finds that out. Otherwise the poll status shows whether the slot is free, and all agents
 * are read only if it is.
 */
const acquireSlot = async (run: PollRun, remembered: AccountAgents | undefined): Promise<Acquisition> => {
  const { clock, account } = run;
  // The remembered agents may be outdated if this process has not polled for long, because another one may have. They must not
  // be saved as the snapshot of an interruption before a write has confirmed them.
  const isUsable = remembered !== undefined && !becomesInterrupted(remembered.pollStatus, clock());
  const slot = isUsable ? await unlessRaceLost(tryToAcquire(run, remembered)) : undefined;
  if (slot !== undefined) return slot;

  const { poller } = await readPollStatus(run, account.userName);
  if (isSlotTaken(poller, clock())) return { kind: 'skipped', known: undefined };
  return tryToAcquire(run, await readAgents(run, account.userName));
};

const tryToAcquire = async (run: PollRun, known: AccountAgents): Promise<Acquisition> => {
  if (isSlotTaken(known.pollStatus.poller, run.clock())) return { kind: 'skipped', known };

  const finished = await finishEarlierRun(run, run.hasNewKey ? withPoller(known, withoutBackOff) : known);
  if (finished.pollStatus.poller.pendingAt !== undefined) return { kind: 'skipped', known: finished };

  const current = await recordPollGap(run, finished);
  await waitForCapacity(run, current.pollStatus.poller);
  const reserved = reserveSlot(current.pollStatus.poller, run.clock());
  if (reserved.ok) {
    const pollStatus = await writePollStatus(run, { ...current.pollStatus, poller: reserved.value });
    return { kind: 'acquired', known: { ...current, pollStatus } };
  }
  const { problem } = reserved;
  if (problem === 'slot-taken') return { kind: 'skipped', known: current };
  // The agents' rows may become stale in a slot in which nothing may be sent. That is recorded.
  const skipped = pollSkipped(current.pollStatus, problem, run.clock());
  return { kind: 'skipped', known: skipped === undefined ? current : await writeUnanswered(run, current, skipped) };
};

const withPoller = (known: AccountAgents, change: (poller: Poller) => Poller): AccountAgents => ({
  ...known,
  pollStatus: { ...known.pollStatus, poller: change(known.pollStatus.poller) },
});

const withoutBackOff = ({ backOff: _backOff, ...poller }: Poller): Poller => poller;

/** Cleans up after an aborted run, and writes the agents that a run has left to write. */
const finishEarlierRun = async (run: PollRun, known: AccountAgents): Promise<AccountAgents> =>
  finishPending(run, known.pollStatus.poller.inFlight ? await recoverAborted(run, known) : known);

/**
 * The earlier run may be late rather than dead: after this first write, its own writes lose the race. So the snapshots that it
 * saved and never committed can be deleted. Its poll counts as failed.
 */
const recoverAborted = async (run: PollRun, known: AccountAgents): Promise<AccountAgents> => {
  const pollStatus = await writePollStatus(run, known.pollStatus);
  await deleteUncommitted(run, pollStatus);
  const locked = { ...known, pollStatus };
  // A poll with pending agents was answered, so it has not failed.
  if (pollStatus.poller.pendingAt !== undefined)
    return writeUnanswered(run, locked, { ...pollStatus, poller: { ...pollStatus.poller, inFlight: false } });

  return writeUnanswered(run, locked, pollFailed(pollStatus, { reason: 'aborted' }, run.clock()));
};

/** After a time in which nobody polled, records the interruption before this poll ends it. */
const recordPollGap = async (run: PollRun, known: AccountAgents): Promise<AccountAgents> => {
  const interrupted = pollGap(known.pollStatus, run.clock());
  return interrupted === undefined ? known : writeUnanswered(run, known, interrupted);
};

/** A timer may fire a moment early. */
const timerGraceMs = 5;

/** A retry uses one request of the rate limit, so the next polls may have to wait for a moment. */
const waitForCapacity = async (run: PollRun, poller: Poller): Promise<void> => {
  const now = run.clock();
  const waitMs = capacityWaitMs(poller, now);
  const atMs = now.getTime() + waitMs;
  const isInTime = atMs <= latestSendMs(now.getTime()) && atMs + requestTimeoutMs <= run.untilMs;
  if (waitMs > 0 && isInTime) await run.pause(waitMs + timerGraceMs);
};

interface Answer {
  /** The agents as stored before the poll, and the poll status with the poll's requests. */
  readonly known: AccountAgents;
  readonly requestedAt: Date;
  readonly logins: Result<AgentLogins, ServiceFailure>;
}

/** Fetches the logins. After a transient failure or an expired token it tries once more, if the rate limit leaves room. */
const fetchWithRetry = async (run: PollRun, known: AccountAgents): Promise<Answer> => {
  const token = await run.getToken(run.account);
  if (!token.ok) return { known, requestedAt: run.clock(), logins: token };

  const first = await fetchOnce(run, known, token.value);
  if (first.logins.ok) return first;
  const next = await tokenForRetry(run, token.value, first.logins.problem);
  if (!next.ok) return { ...first, logins: next };

  const { pollStatus } = first.known;
  const poller = reserveRetry(pollStatus.poller, first.requestedAt, { now: run.clock(), untilMs: run.untilMs });
  if (poller === undefined)
    return next.value === token.value ? first : { ...first, logins: fail({ reason: 'token-renewed' }) };
  return fetchOnce(run, { ...known, pollStatus: await writePollStatus(run, { ...pollStatus, poller }) }, next.value);
};

const fetchOnce = async (run: PollRun, known: AccountAgents, token: string | undefined): Promise<Answer> => {
  const requestedAt = run.clock();
  const logins = await getAgentLogins(run.service, run.account, token);
  const arrived = (poller: Poller) => ({ ...poller, requests: requestArrived(poller.requests, run.clock()) });
  return { known: withPoller(known, arrived), requestedAt, logins };
};

/** The token for a retry: a new one after the service rejected the first. Fails where a retry would not help. */
const tokenForRetry = async (
  run: PollRun,
  token: string | undefined,
  failure: ServiceFailure,
): Promise<Result<string | undefined, ServiceFailure>> => {
  if (isTransient(failure)) return ok(token);
  if (failure.reason !== 'unauthorised' || run.account.token.kind !== 'generate') return fail(failure);
  return run.getToken(run.account, token);
};

const writeAnswer = async (run: PollRun, { known: before, requestedAt, logins }: Answer): Promise<AccountAgents> => {
  const unanswered = await unansweredCalls(run);
  const known = withPoller(before, unanswered);
  const { pollStatus } = known;
  if (!logins.ok) return writeUnanswered(run, known, pollFailed(pollStatus, logins.problem, run.clock()));

  const unreadableRecords = logins.value.unreadable.length;
  const { poller, logins: identified } = ignoreUnidentified(pollStatus.poller, logins.value, requestedAt);
  const loggedIn = loggedInAgents(known.agents, identified);
  const answered = { ...known, pollStatus: { ...pollStatus, poller } };
  return writeAgents(run, answered, { at: pollInstant(requestedAt, pollStatus), loggedIn, unreadableRecords });
};

/** Leaves out the ended calls after which a callback came. The write of the result writes that too. */
const unansweredCalls = async ({ account, getReceipts }: PollRun): Promise<(poller: Poller) => Poller> => {
  if (!hasCallbacks(account)) return withoutEndedCalls;
  const receipts = await getReceipts(account.userName);
  return (poller) => (receipts === undefined ? poller : withReceipts(poller, receipts));
};

const secondMs = 1000;

/**
 * The poll's instant in whole seconds. It is later than the last answer and the last snapshot: two changes of an agent at one
 * instant would have no order.
 */
const pollInstant = (requestedAt: Date, { asOf, poller }: PollStatus): string => {
  const wholeSecond = (ms: number) => Math.floor(ms / secondMs) * secondMs;
  const notBefore = [asOf, poller.snapshotAt].map((at) =>
    at === undefined ? 0 : wholeSecond(Date.parse(at)) + secondMs,
  );
  return new Date(Math.max(wholeSecond(requestedAt.getTime()), ...notBefore)).toISOString();
};
