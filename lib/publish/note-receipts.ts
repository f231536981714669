import { type ReceiptInstant, receiptIntervalSeconds } from '../agents/silence.ts';
import type { Clock } from '../core/time.ts';
import type { Row } from '../storage/rows.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import type { RowChange } from './row-change.ts';

/** The rows that date each account's latest callback. */
export interface ReceiptStore {
  /** Moves an instant of an account's row on. An instant that is not later changes nothing. Throws without the table. */
  advance(account: string, instant: ReceiptInstant, at: string): Promise<void>;
}

/** What receipts are noted with. */
export interface ReceiptPorts {
  readonly receipts: ReceiptStore;
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'fault'>;
}

/** Receipts that come out of the stream so late show that the publisher is behind, or that they were parked. */
const maxLagMs = 2 * 60_000;

/**
 * Notes when callbacks were received, after their events are published: late by a moment, but no writer of calls waits for
 * it. While the publisher is held up it sees no later callbacks, which is no proof that none came. So it notes that instead.
 *
 * Each instant is written once a minute at most, even if that fails: the next minute's callbacks write it again.
 */
export const noteReceipts = ({ receipts, clock, telemetry }: ReceiptPorts) => {
  const noted: Record<ReceiptInstant, Map<string, number>> = { lastReceivedAt: new Map(), heldUpAt: new Map() };

  const note = async (account: string, instant: ReceiptInstant, atMs: number): Promise<void> => {
    const last = noted[instant].get(account);
    if (last !== undefined && atMs - last < receiptIntervalSeconds * 1000) return;
    noted[instant].set(account, atMs);
    await receipts.advance(account, instant, new Date(atMs).toISOString());
  };

  return async (changes: readonly RowChange[], { isHeldUp }: { readonly isHeldUp: boolean }): Promise<void> => {
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
const receivedIn = (changes: readonly RowChange[]): ReadonlyMap<string, number> => {
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
