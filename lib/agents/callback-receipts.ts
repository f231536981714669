import * as z from 'zod/mini';
import { type Clock, secondsBetween } from '../core/time.ts';
import { joinedKey, type Row, type RowKey, readRow } from '../storage/rows.ts';
import type { Telemetry } from '../telemetry/metrics.ts';

export const receiptsKey = (account: string): RowKey => ({ pk: joinedKey(account, 'callbacks'), sk: 'callbacks' });

/** Dates the latest callback: the publisher writes it from the stream, once in `receiptIntervalSeconds` at most. */
const CallbackReceipts = z.object({
  /** When the latest callback was received, up to `receiptIntervalSeconds` too early. */
  lastReceivedAt: z.optional(z.string()),
  /** When the publisher was last seen behind the stream. It may not have seen callbacks that came until then. */
  heldUpAt: z.optional(z.string()),
  /** When it last saw a callback that had been parked. Others that came until then may still be parked. */
  recoveredAt: z.optional(z.string()),
});

export type CallbackReceipts = Readonly<z.infer<typeof CallbackReceipts>>;

export type ReceiptInstant = keyof CallbackReceipts;

/** How often a process of the publisher writes an instant of the row. */
export const receiptIntervalSeconds = 60;

/** The receipts in a row; without a row no callback was received. Throws if something else wrote the row. */
export const receiptsOf = (row: Row = {}): CallbackReceipts => readRow(CallbackReceipts, row);

/** Up to when ended calls prove nothing, in milliseconds. */
export const answeredUntilMs = ({ lastReceivedAt, heldUpAt, recoveredAt }: CallbackReceipts): number => {
  const received = lastReceivedAt === undefined ? 0 : Date.parse(lastReceivedAt) + receiptIntervalSeconds * 1000;
  return Math.max(received, ...[heldUpAt, recoveredAt].map((at) => (at === undefined ? 0 : Date.parse(at))));
};

/** A held-up publisher is retried about once a minute, and writes that down at most once a minute. */
const heldUpSeconds = 180;

/**
 * Whether the events of calls are held up: within the last three minutes the bus did not accept them, or the publisher was seen
 * behind the stream. Nothing is lost meanwhile: the stream keeps the changes for a day, and then the bucket has them.
 */
export const isHeldUp = ({ heldUpAt }: CallbackReceipts, now: Date): boolean =>
  heldUpAt !== undefined && secondsBetween(heldUpAt, now.toISOString()) < heldUpSeconds;

/** Whether callbacks are missing by `callbacksSilentSince`: some may have come since the poller wrote it. */
export const isSilent = (silentSince: string | undefined, receipts: CallbackReceipts): boolean =>
  silentSince !== undefined && Date.parse(silentSince) > answeredUntilMs(receipts);

export interface ReceiptStore {
  /** Moves an instant of an account's row on. An instant that is not later changes nothing. Throws without the table. */
  advance(account: string, instant: ReceiptInstant, at: string): Promise<void>;
}

interface ChangedRow {
  readonly before?: Row | undefined;
  readonly after?: Row | undefined;
  readonly writtenMs?: number | undefined;
}

interface NotingPorts {
  readonly receipts: ReceiptStore;
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'fault'>;
}

/** A change that is so old shows that the publisher is behind. A callback that is older than its row was parked before. */
const maxLagMs = 2 * 60_000;

/**
 * Notes receipts once their events are published, so no writer of calls waits. While it is held up the publisher sees no
 * later callbacks, and notes that instead. Each instant is written once a minute at most, even if that fails.
 */
export const noteReceipts = ({ receipts, clock, telemetry }: NotingPorts) => {
  const noted = new Map<string, number>();

  const note = async (account: string, instant: ReceiptInstant, atMs: number): Promise<void> => {
    const key = joinedKey(account, instant);
    if (atMs - (noted.get(key) ?? 0) < receiptIntervalSeconds * 1000) return;
    noted.set(key, atMs);
    await receipts.advance(account, instant, new Date(atMs).toISOString());
  };

  return async (changes: readonly ChangedRow[], { isHeldUp }: { readonly isHeldUp: boolean }): Promise<void> => {
    const nowMs = clock().getTime();
    try {
      for (const [account, { receivedMs, writtenMs = nowMs }] of receivedIn(changes)) {
        // The clock of the receiver may be ahead of this one. Callbacks of the future would hide that none come.
        const atMs = Math.min(receivedMs, nowMs);
        await note(account, 'lastReceivedAt', atMs);
        if (isHeldUp || nowMs - writtenMs > maxLagMs) await note(account, 'heldUpAt', nowMs);
        else if (nowMs - atMs > maxLagMs) await note(account, 'recoveredAt', nowMs);
      }
    } catch (error) {
      telemetry.fault('agent-store', error);
    }
  };
};

interface Received {
  readonly receivedMs: number;
  readonly writtenMs?: number | undefined;
}

/** The callback of each account that was received last, and when its row was written. */
const receivedIn = (changes: readonly ChangedRow[]): ReadonlyMap<string, Received> => {
  const latest = new Map<string, Received>();
  for (const { before, after, writtenMs } of changes) {
    const account = after?.['account'];
    const receivedMs = callbackReceivedMs(after);
    if (typeof account === 'string' && receivedMs > callbackReceivedMs(before)) {
      const isLatest = receivedMs > (latest.get(account)?.receivedMs ?? 0);
      if (isLatest) latest.set(account, { receivedMs, writtenMs });
    }
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
