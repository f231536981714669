import * as z from 'zod/mini';
import { type Clock, secondsBetween } from '../core/time.ts';
import { joinedKey, type Row, type RowKey, readRow } from '../storage/rows.ts';
import type { Telemetry } from '../telemetry/metrics.ts';

export const receiptsKey = (account: string): RowKey => ({ pk: joinedKey(account, 'callbacks'), sk: 'callbacks' });

/**
 * What the publisher knows of an account's callbacks. The poller compares it with the calls that agents end: many calls without
 * a callback prove that callbacks are lost. The publisher writes each instant once in `receiptIntervalSeconds` at most.
 */
const CallbackReceipts = z.object({
  /** When the latest callback was received, up to `receiptIntervalSeconds` too early. */
  lastReceivedAt: z.optional(z.string()),
  /** When the publisher was last seen behind the stream. It may not have seen callbacks that came until then. */
  heldUpAt: z.optional(z.string()),
  /** When the publisher last saw a callback that had been parked. Others that came until then may still be parked. */
  recoveredAt: z.optional(z.string()),
});

export type CallbackReceipts = Readonly<z.infer<typeof CallbackReceipts>>;

export type ReceiptInstant = keyof CallbackReceipts;

/** How often a process of the publisher writes an instant of the row. */
export const receiptIntervalSeconds = 60;

/** The receipts in a row; without a row no callback was received. Throws if something else wrote the row. */
export const receiptsOf = (row: Row = {}): CallbackReceipts => readRow(CallbackReceipts, row);

/** A call that ended until then may have had its callback. Only later ones prove anything. In milliseconds. */
export const callbackPossibleUntilMs = ({ lastReceivedAt, heldUpAt, recoveredAt }: CallbackReceipts): number => {
  const received = lastReceivedAt === undefined ? 0 : Date.parse(lastReceivedAt) + receiptIntervalSeconds * 1000;
  return Math.max(received, ...[heldUpAt, recoveredAt].map((at) => (at === undefined ? 0 : Date.parse(at))));
};

/**
 * While the bus rejects events, the batch is retried about once a minute, and `heldUpAt` moves on each time. After three minutes
 * without a change of `heldUpAt` that is over.
 */
const heldUpSeconds = 180;

/**
 * Whether the events of calls are held up: within the last three minutes the bus did not accept them, or the publisher was seen
 * behind the stream. Nothing is lost meanwhile: the stream keeps the changes for a day, and then Lambda writes them to the
 * failed-changes bucket.
 */
export const isHeldUp = ({ heldUpAt }: CallbackReceipts, now: Date): boolean =>
  heldUpAt !== undefined && secondsBetween(heldUpAt, now.toISOString()) < heldUpSeconds;

/** Whether callbacks are missing by `callbacksSilentSince`: some may have come since the poller wrote it. */
export const isSilent = (silentSince: string | undefined, receipts: CallbackReceipts): boolean =>
  silentSince !== undefined && Date.parse(silentSince) > callbackPossibleUntilMs(receipts);

export interface ReceiptStore {
  /** Moves an instant of an account's row on. An instant that is not later changes nothing. Throws without the table. */
  advance(account: string, instant: ReceiptInstant, at: string): Promise<void>;
}

interface ChangedRow {
  readonly before?: Row | undefined;
  readonly after?: Row | undefined;
  /** When the row was written, by the stream; absent where nobody knows. */
  readonly writtenMs?: number | undefined;
}

interface NotingPorts {
  readonly receipts: ReceiptStore;
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'fault'>;
}

/** A change that is older than this shows that the publisher is behind the stream. A callback that is older than its row by this was parked. */
const maxLagMs = 2 * 60_000;

/**
 * Notes receipts once their events are published, so no writer of calls waits. While events are rejected the publisher sees no
 * later callbacks. Then it notes `heldUpAt`. Each instant is written once a minute at most, even if that fails.
 */
export const noteReceipts = ({ receipts, clock, telemetry }: NotingPorts) => {
  const noted = new Map<string, number>();

  const note = async (account: string, instant: ReceiptInstant, atMs: number): Promise<void> => {
    const key = joinedKey(account, instant);
    if (atMs - (noted.get(key) ?? 0) < receiptIntervalSeconds * 1000) return;
    noted.set(key, atMs);
    await receipts.advance(account, instant, new Date(atMs).toISOString());
  };

  return async (changes: readonly ChangedRow[], { isRejected }: { readonly isRejected: boolean }): Promise<void> => {
    const nowMs = clock().getTime();
    try {
      for (const [account, { receivedMs, writtenMs = nowMs }] of latestCallbacks(changes)) {
        // The clock of the receiver may be ahead of this one. Callbacks of the future would hide that none come.
        const atMs = Math.min(receivedMs, nowMs);
        await note(account, 'lastReceivedAt', atMs);
        if (isRejected || nowMs - writtenMs > maxLagMs) await note(account, 'heldUpAt', nowMs);
        else if (nowMs - atMs > maxLagMs) await note(account, 'recoveredAt', nowMs);
      }
    } catch (error) {
      telemetry.fault('agent-store', error);
    }
  };
};

interface LatestCallback {
  readonly receivedMs: number;
  readonly writtenMs?: number | undefined;
}

/** The callback of each account that was received last, and when its row was written. */
const latestCallbacks = (changes: readonly ChangedRow[]): ReadonlyMap<string, LatestCallback> => {
  const latest = new Map<string, LatestCallback>();
  for (const { before, after, writtenMs } of changes) {
    const account = after?.['account'];
    const receivedMs = callbackReceivedMs(after);
    if (typeof account !== 'string' || receivedMs <= callbackReceivedMs(before)) continue;
    if (receivedMs > (latest.get(account)?.receivedMs ?? 0)) latest.set(account, { receivedMs, writtenMs });
  }
  return latest;
};

/** When the latest callback in a row was received. Deliveries from the call report do not count. Zero for another kind of row. */
const callbackReceivedMs = (row: Row | undefined): number => {
  const deliveries: unknown = row?.['deliveries'];
  if (!Array.isArray(deliveries)) return 0;
  const received = deliveries.map(({ source, receivedAt }) => (source === undefined ? Date.parse(receivedAt) : 0));
  return Math.max(0, ...received.filter(Number.isFinite));
};
