import { hasCallbacks } from '../../lib/accounts/accounts.ts';
import { loggedInAgents } from '../../lib/agents/diff-agents.ts';
import { getAgentLogins } from '../../lib/agents/get-agent-logins.ts';
import type { AgentLogins } from '../../lib/agents/normalise-agent.ts';
import type { Poller, PollStatus } from '../../lib/agents/schema.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { requestArrived } from '../../lib/service/rate-limit.ts';
import {
  isTransient,
  requestTimeoutMs,
  type ServiceFailure,
  type TelephonyService,
} from '../../lib/service/service.ts';
import type { GetToken } from '../../lib/service/token-cache.ts';
import {
  type AccountAgents,
  deleteUncommitted,
  readAccountAgents,
  readPollStatus,
  type Written,
  writePollStatus,
} from './agent-store.ts';
import { becomesInterrupted, ignoreUnidentified, nextStep } from './poll-status.ts';
import { capacityWaitMs, isSlotTaken, latestSendMs, reserveRetry, reserveSlot, withoutBackOff } from './rate-limit.ts';
import { type GetReceipts, withoutEndedCalls, withReceipts } from './silence.ts';
import { removeLoggedOut, type WriteRun, writeAgents, writePollEvent, writeRest } from './write-agents.ts';

export interface PollRun extends WriteRun {
  readonly service: TelephonyService;
  readonly getToken: GetToken;
  readonly getReceipts: GetReceipts;
  /** The account has another key than the one that the service rejected, so a back-off is void. */
  readonly hasNewKey: boolean;
  readonly pause: (milliseconds: number) => Promise<void>;
}

export type SlotResult =
  | { readonly kind: 'polled'; readonly known: AccountAgents }
  /** The slot is taken, or nothing may be sent in it. Undefined: the run does not know the agents. */
  | { readonly kind: 'skipped'; readonly known: AccountAgents | undefined };

export const pollSlot = async (run: PollRun, remembered: AccountAgents | undefined): Promise<Written<SlotResult>> => {
  const slot = await acquireSlot(run, remembered);
  if (!slot.ok) return slot;
  if (slot.value.kind === 'skipped') return ok(slot.value);
  const answer = await fetchWithRetry(run, slot.value.known);
  if (!answer.ok) return answer;
  const written = await writeAnswer(run, answer.value);
  return written.ok ? ok({ kind: 'polled', known: written.value }) : written;
};

type Acquisition =
  | Extract<SlotResult, { kind: 'skipped' }>
  | { readonly kind: 'acquired'; readonly known: AccountAgents };

/**
 * Acquires an account's present slot. Remembered agents are current if the conditional write succeeds. Otherwise the poll
 * status shows whether the slot is free, and all agents are read only if it is.
 */
const acquireSlot = async (run: PollRun, remembered: AccountAgents | undefined): Promise<Written<Acquisition>> => {
  const { clock, account } = run;
  // The remembered agents may be outdated if this process has not polled for long, because another one may have. They must not
  // be saved as the snapshot of an interruption before a write has confirmed them.
  if (remembered !== undefined && !becomesInterrupted(remembered.pollStatus, clock())) {
    const slot = await tryToAcquire(run, remembered);
    if (slot.ok) return slot;
  }

  const { poller } = await readPollStatus(run, account.userName);
  if (isSlotTaken(poller, clock())) return ok({ kind: 'skipped', known: undefined });
  return tryToAcquire(run, await readAccountAgents(run, account.userName));
};

/** Makes one step that is due before a poll and looks again. When none is left, it reserves the slot. */
const tryToAcquire = async (run: PollRun, known: AccountAgents): Promise<Written<Acquisition>> => {
  const step = nextStep(known.pollStatus.poller, run.clock());
  if (step === 'none') return ok({ kind: 'skipped', known });
  if (step === 'poll') return reserve(run, known);

  const done = await (step === 'take-over' ? takeOver(run, known) : writeRest(run, known));
  if (!done.ok) return done;
  // This run is out of time, so the next one goes on.
  const isRestLeft = step === 'write-rest' && done.value.pollStatus.poller.pendingAt !== undefined;
  return isRestLeft ? ok({ kind: 'skipped', known: done.value }) : tryToAcquire(run, done.value);
};

/** The first write makes an earlier run lose the race, if that is late. Then the snapshots that it never committed can be deleted. */
const takeOver = async (run: PollRun, known: AccountAgents): Promise<Written<AccountAgents>> => {
  const locked = await writePollStatus(run, known.pollStatus);
  if (!locked.ok) return locked;
  await deleteUncommitted(run, locked.value);
  return writePollEvent(run, { ...known, pollStatus: locked.value }, { kind: 'taken-over' });
};

const reserve = async (run: PollRun, found: AccountAgents): Promise<Written<Acquisition>> => {
  const tidied = await removeLoggedOut(run, run.hasNewKey ? withPoller(found, withoutBackOff) : found);
  const due = tidied.ok ? await writePollEvent(run, tidied.value, { kind: 'due' }) : tidied;
  if (!due.ok) return due;

  await waitForCapacity(run, due.value.pollStatus.poller);
  const slot = reserveSlot(due.value.pollStatus.poller, run.clock());
  if (slot.ok) {
    const reserved = await writePollEvent(run, due.value, { kind: 'requested', poller: slot.value });
    return reserved.ok ? ok({ kind: 'acquired', known: reserved.value }) : reserved;
  }
  const { problem: why } = slot;
  // The agents' rows may become stale in a slot in which nothing may be sent. That is recorded.
  const skipped = why === 'slot-taken' ? due : await writePollEvent(run, due.value, { kind: 'skipped', why });
  return skipped.ok ? ok({ kind: 'skipped', known: skipped.value }) : skipped;
};

const withPoller = (known: AccountAgents, change: (poller: Poller) => Poller): AccountAgents => ({
  ...known,
  pollStatus: { ...known.pollStatus, poller: change(known.pollStatus.poller) },
});

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
  /** As stored before the poll, except the requests: they have the arrival of this one. */
  readonly known: AccountAgents;
  readonly requestedAt: Date;
  readonly logins: Result<AgentLogins, ServiceFailure>;
}

/** Fetches the logins. After a transient failure or an expired token it tries once more, if the rate limit leaves room. */
const fetchWithRetry = async (run: PollRun, known: AccountAgents): Promise<Written<Answer>> => {
  const token = await run.getToken(run.account);
  if (!token.ok) return ok({ known, requestedAt: run.clock(), logins: token });

  const first = await fetchOnce(run, known, token.value);
  if (first.logins.ok) return ok(first);
  const next = await tokenForRetry(run, token.value, first.logins.problem);
  if (!next.ok) return ok({ ...first, logins: next });

  const { pollStatus } = first.known;
  const poller = reserveRetry(pollStatus.poller, first.requestedAt, { now: run.clock(), untilMs: run.untilMs });
  if (poller === undefined)
    return ok(next.value === token.value ? first : { ...first, logins: fail({ reason: 'token-renewed' }) });
  const noted = await writePollEvent(run, first.known, { kind: 'requested', poller });
  return noted.ok ? ok(await fetchOnce(run, noted.value, next.value)) : noted;
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

const writeAnswer = async (
  run: PollRun,
  { known: before, requestedAt, logins }: Answer,
): Promise<Written<AccountAgents>> => {
  const known = withPoller(before, await unansweredCalls(run));
  if (!logins.ok) return writePollEvent(run, known, { kind: 'failed', failure: logins.problem });

  const { pollStatus } = known;
  const { poller, logins: identified } = ignoreUnidentified(pollStatus.poller, logins.value, requestedAt);
  const at = pollInstant(requestedAt, pollStatus);
  const loggedIn = loggedInAgents(known.agents, identified);
  const unreadableRecords = logins.value.unreadable.length;
  const answered = { ...known, pollStatus: { ...pollStatus, poller } };
  return writeAgents(run, answered, { at, loggedIn, unreadableRecords });
};

/** Leaves out the ended calls after which a callback came. The change is stored with the poll's result. */
const unansweredCalls = async ({ account, getReceipts }: PollRun): Promise<(poller: Poller) => Poller> => {
  if (!hasCallbacks(account)) return withoutEndedCalls;
  const receipts = await getReceipts(account.userName);
  return (poller) => (receipts === undefined ? poller : withReceipts(poller, receipts));
};

/** In whole seconds, later than the last answer and snapshot: two changes at one instant would have no order. */
const pollInstant = (requestedAt: Date, { asOf, poller }: PollStatus): string => {
  const secondOf = (ms: number) => Math.floor(ms / 1000);
  const notBefore = [asOf, poller.snapshotAt].map((at) => (at === undefined ? 0 : secondOf(Date.parse(at)) + 1));
  return new Date(Math.max(secondOf(requestedAt.getTime()), ...notBefore) * 1000).toISOString();
};
