import * as z from 'zod/mini';
import { type Clock, secondsBetween } from '../core/time.ts';
import { type AgentTable, joinedKey, type Row, type RowKey, readRow } from '../storage/rows.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import { loggedOut } from '../telephony/vocabularies.ts';
import type { AgentChange, Poller } from './schema.ts';
import { attemptedAt } from './slot.ts';

// Agents who end calls while no callback comes prove that callbacks are lost. So the poller keeps the first few calls that
// ended since the latest callback, and the publisher notes when callbacks came: their receipts.

/** So many calls without a callback are no coincidence. Single ones happen: some calls of an account are never posted. */
const maxEndedCalls = 5;

/** So many of them may be of one agent: somebody who tries the telephone alone proves nothing. */
const maxOfOneAgent = 2;

/** Calls that lie further apart do not belong together: that is a quiet hour. In milliseconds. */
const togetherMs = 60 * 60_000;

/** If the answer before is older than so many seconds, it is unknown when a call ended. */
const maxUnseenSeconds = 45;

/**
 * The poller's state with the calls that agents ended between the answer before (`asOf`) and this one (`at`). They are
 * written with the changes of the agents, at no cost of their own. Once there are enough, they stay until a callback comes.
 */
export const withEndedCalls = (
  poller: Poller,
  changes: readonly AgentChange[],
  { asOf, at }: { readonly asOf: string | undefined; readonly at: string },
): Poller => {
  const atMs = Date.parse(at);
  const before = poller.endedCalls ?? [];
  const isSeen = asOf !== undefined && secondsBetween(asOf, at) <= maxUnseenSeconds;
  const endedBy = isSeen ? changes.filter(isCallEnd).map(({ agentId }) => agentHash(agentId)) : [];
  if (endedBy.length === 0 || before.length >= maxEndedCalls) return poller;

  const ended = before.filter((call) => atMs - call.at <= togetherMs);
  for (const by of endedBy) {
    const ofAgent = ended.filter((call) => call.by === by).length;
    if (ended.length < maxEndedCalls && ofAgent < maxOfOneAgent) ended.push({ at: atMs, by });
  }
  return withCalls(poller, ended);
};

/** A log-out does not count: the service may have left the agent out of its list by mistake. */
const isCallEnd = ({ before, after }: AgentChange): boolean =>
  before?.state === 'in-call' && after !== undefined && after.state !== 'in-call' && after.state !== loggedOut;

/** Short numbers are enough for the few agents of the list. Two with the same one only make the list fill more slowly. */
const agentHash = (agentId: string): number =>
  [...agentId].reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 7);

/**
 * How long a callback may take after its call. The service posts many calls only when the agent has chosen a disposition,
 * about five minutes later.
 */
export const silenceGraceSeconds = 6 * 60;

/** The poller's state without any ended calls. */
export const withoutEndedCalls = (poller: Poller): Poller => withCalls(poller, []);

const withCalls = (before: Poller, endedCalls: NonNullable<Poller['endedCalls']>): Poller => {
  const { endedCalls: _before, ...poller } = before;
  return { ...poller, ...(endedCalls.length > 0 && { endedCalls }) };
};

/**
 * When the third ended call without a callback ended (ISO instant), once there are five such calls; undefined before. The
 * grace counts from that third call: three calls had time for their callback, the other two need only have ended.
 */
const silentSince = ({ endedCalls = [] }: Poller): string | undefined => {
  const third = endedCalls.length < maxEndedCalls ? undefined : endedCalls[2];
  return third && new Date(third.at).toISOString();
};

/** The same, if the grace was over at the last attempt to poll; undefined before. The row shows it to readers. */
export const provenSilentSince = (poller: Poller): string | undefined => {
  const [since, attempt] = [silentSince(poller), attemptedAt(poller)];
  const isProven =
    since !== undefined && attempt !== undefined && secondsBetween(since, attempt) >= silenceGraceSeconds;
  return isProven ? since : undefined;
};

/** The row that dates an account's latest callback. */
export const receiptsKey = (account: string): RowKey => ({ pk: joinedKey(account, 'callbacks'), sk: 'callbacks' });

/**
 * The row that dates an account's latest callback. The publisher writes it, as it sees each new delivery in the stream
 * of the Calls table. It writes it at most once in `receiptIntervalSeconds`, so that it costs next to nothing.
 */
const CallbackReceipts = z.object({
  /** When the latest callback was received, up to `receiptIntervalSeconds` too early. */
  lastReceivedAt: z.optional(z.string()),
  /** When the publisher was last seen behind the stream. It may not have seen callbacks that came until then. */
  heldUpAt: z.optional(z.string()),
});

export type CallbackReceipts = Readonly<z.infer<typeof CallbackReceipts>>;

/** An instant of that row. */
export type ReceiptInstant = keyof CallbackReceipts;

/** How often a process of the publisher writes an instant of the row. */
export const receiptIntervalSeconds = 60;

/** The receipts in a row; without a row no callback was received. Throws if something else wrote the row. */
export const receiptsOf = (row: Row = {}): CallbackReceipts => readRow(CallbackReceipts, row);

/**
 * How long an account's callbacks have been missing, in seconds: agents ended five calls since the latest one, and the third
 * ended so long ago. Zero while callbacks come or few calls end. It proves something from `silenceGraceSeconds` on.
 */
export const silenceSeconds = (poller: Poller, receipts: CallbackReceipts, now: Date): number => {
  const since = silentSince(withReceipts(poller, receipts));
  return since === undefined ? 0 : Math.max(0, secondsBetween(since, now.toISOString()));
};

/** The poller's state without the ended calls after which a callback came, or after which the publisher was behind. */
export const withReceipts = (poller: Poller, receipts: CallbackReceipts): Poller => {
  const untilMs = answeredUntilMs(receipts);
  const unanswered = poller.endedCalls?.filter(({ at }) => at > untilMs);
  return unanswered === undefined ? poller : withCalls(poller, unanswered);
};

/** Up to when ended calls prove nothing, in milliseconds. */
const answeredUntilMs = ({ lastReceivedAt, heldUpAt }: CallbackReceipts): number => {
  const received = lastReceivedAt === undefined ? 0 : Date.parse(lastReceivedAt) + receiptIntervalSeconds * 1000;
  return Math.max(received, heldUpAt === undefined ? 0 : Date.parse(heldUpAt));
};

/**
 * Whether callbacks are missing, for a reader of the poll status (its `callbacksSilentSince`): callbacks may have come since
 * the poller wrote it.
 */
export const isSilent = (silentSince: string | undefined, receipts: CallbackReceipts): boolean =>
  silentSince !== undefined && Date.parse(silentSince) > answeredUntilMs(receipts);

/** A held-up publisher is retried about once a minute, and writes that down at most once a minute. */
const heldUpSeconds = 180;

/**
 * Whether the events of calls are held up, mostly because the bus does not accept them: the publisher was seen behind within
 * the last three minutes. Nothing is lost meanwhile: the stream keeps the changes for a day, and then the bucket has them.
 */
export const isHeldUp = ({ heldUpAt }: CallbackReceipts, now: Date): boolean =>
  heldUpAt !== undefined && secondsBetween(heldUpAt, now.toISOString()) < heldUpSeconds;

interface ReadingPorts {
  readonly table: AgentTable;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** What a process knows of an account's receipts; undefined if they could not be read lately. */
export type GetReceipts = (account: string) => Promise<CallbackReceipts | undefined>;

/** The receipts of the accounts, each read at most once a minute. A failed read is logged: agents are polled all the same. */
export const receiptsReader = ({ table, clock, telemetry }: ReadingPorts): GetReceipts => {
  const read = new Map<string, { readonly atMs: number; readonly receipts: CallbackReceipts | undefined }>();

  return async (account) => {
    const atMs = clock().getTime();
    const last = read.get(account);
    if (last !== undefined && atMs - last.atMs < receiptIntervalSeconds * 1000) return last.receipts;

    const reading = table.query(receiptsKey(account).pk).then(([row]) => receiptsOf(row));
    const receipts = await reading.catch((error: unknown) => {
      telemetry.fault('agent-store', error);
      return undefined;
    });
    read.set(account, { atMs, receipts });
    return receipts;
  };
};

/** The rows that date each account's latest callback. */
export interface ReceiptStore {
  /** Moves an instant of an account's row on. An instant that is not later changes nothing. Throws without the table. */
  advance(account: string, instant: ReceiptInstant, at: string): Promise<void>;
}

/** A row of the Calls table before and after a change. */
interface ChangedRow {
  readonly before?: Row | undefined;
  readonly after?: Row | undefined;
}

interface NotingPorts {
  readonly receipts: ReceiptStore;
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'fault'>;
}

/** Callbacks that come out of the stream so late show that the publisher is behind, or that they were parked. */
const maxLagMs = 2 * 60_000;

/**
 * Notes when callbacks were received, after their events are published: late by a moment, but no writer of calls waits for
 * it. While the publisher is held up it sees no later callbacks, which is no proof that none came. So it notes that instead.
 *
 * Each instant is written once a minute at most, even if that fails: the next minute's callbacks write it again.
 */
export const noteReceipts = ({ receipts, clock, telemetry }: NotingPorts) => {
  const noted: Record<ReceiptInstant, Map<string, number>> = { lastReceivedAt: new Map(), heldUpAt: new Map() };

  const note = async (account: string, instant: ReceiptInstant, atMs: number): Promise<void> => {
    const last = noted[instant].get(account) ?? 0;
    if (atMs - last < receiptIntervalSeconds * 1000) return;
    noted[instant].set(account, atMs);
    await receipts.advance(account, instant, new Date(atMs).toISOString());
  };

  return async (changes: readonly ChangedRow[], { isHeldUp }: { readonly isHeldUp: boolean }): Promise<void> => {
    const nowMs = clock().getTime();
    try {
      for (const [account, receivedMs] of receivedIn(changes)) {
        // The clock of the receiver may be ahead of this one. Callbacks of the future would hide that none come.
        const atMs = Math.min(receivedMs, nowMs);
        await note(account, 'lastReceivedAt', atMs);
        if (isHeldUp || nowMs - atMs > maxLagMs) await note(account, 'heldUpAt', nowMs);
      }
    } catch (error) {
      telemetry.fault('agent-store', error);
    }
  };
};

/** When the latest new callback of each account in a batch was received, in milliseconds. */
const receivedIn = (changes: readonly ChangedRow[]): ReadonlyMap<string, number> => {
  const latest = new Map<string, number>();
  for (const { before, after } of changes) {
    const account = after?.['account'];
    const received = callbackReceivedMs(after);
    if (typeof account === 'string' && received > callbackReceivedMs(before))
      latest.set(account, Math.max(received, latest.get(account) ?? 0));
  }
  return latest;
};

/** When the latest callback in a row was received. What was read in the call report is none. Zero for another kind of row. */
const callbackReceivedMs = (row: Row | undefined): number => {
  const deliveries: unknown = row?.['deliveries'];
  if (!Array.isArray(deliveries)) return 0;
  const received = deliveries.map(({ source, receivedAt }) => (source === undefined ? Date.parse(receivedAt) : 0));
  return Math.max(0, ...received.filter(Number.isFinite));
};
