import * as z from 'zod/mini';
import type { Facts } from '../core/collections.ts';
import { readRow } from '../core/validate.ts';
import type { AgentTable } from '../schema/agent-table.ts';
import type { Clock, Telemetry } from '../telemetry/metrics.ts';
import { secondsBetween } from './agent.ts';
import { receiptsKey } from './agent-rows.ts';
import { silentSince, withoutCallsUntil } from './ended-calls.ts';
import type { Feed } from './schema.ts';

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
export const receiptsOf = (row: Facts = {}): CallbackReceipts => readRow(CallbackReceipts, row);

/**
 * How long an account's callbacks have been missing, in seconds: agents ended five calls since the latest one, and the third
 * ended so long ago. Zero while callbacks come or few calls end. It proves something from `silenceGraceSeconds` on.
 */
export const silenceSeconds = (feed: Feed, receipts: CallbackReceipts, now: Date): number => {
  const since = silentSince(withReceipts(feed, receipts));
  return since === undefined ? 0 : Math.max(0, secondsBetween(since, now.toISOString()));
};

/** The feed without the ended calls after which a callback came, or after which the publisher was behind. */
export const withReceipts = (feed: Feed, receipts: CallbackReceipts): Feed =>
  withoutCallsUntil(feed, answeredUntilMs(receipts));

/** Up to when ended calls prove nothing, in milliseconds. */
const answeredUntilMs = ({ lastReceivedAt, heldUpAt }: CallbackReceipts): number => {
  const received = lastReceivedAt === undefined ? 0 : Date.parse(lastReceivedAt) + receiptIntervalSeconds * 1000;
  return Math.max(received, heldUpAt === undefined ? 0 : Date.parse(heldUpAt));
};

/**
 * Whether callbacks are missing, for a reader of the feed's row (its `callbacksSilentSince`): callbacks may have come since
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

/** What a process knows of an account's receipts; undefined if they could not be read lately. */
export type GetReceipts = (account: string) => Promise<CallbackReceipts | undefined>;

/** The receipts of the accounts, each read at most once a minute. A failed read is logged: agents are polled all the same. */
export const receiptsReader = ({
  table,
  clock,
  telemetry,
}: {
  readonly table: AgentTable;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}): GetReceipts => {
  const read = new Map<string, { readonly atMs: number; readonly receipts: CallbackReceipts | undefined }>();

  return async (account) => {
    const atMs = clock().getTime();
    const last = read.get(account);
    if (last !== undefined && atMs - last.atMs < receiptIntervalSeconds * 1000) return last.receipts;

    const receipts = await readReceipts(table, account).catch((error: unknown) => {
      telemetry.fault('agent-store', error);
      return undefined;
    });
    read.set(account, { atMs, receipts });
    return receipts;
  };
};

const readReceipts = async (table: AgentTable, account: string): Promise<CallbackReceipts> => {
  const { pk, sk } = receiptsKey(account);
  const [row] = await table.query(pk, { from: sk, to: sk });
  return receiptsOf(row);
};
