import * as z from 'zod/mini';
import { joinedKey } from '../core/text.ts';
import { type Clock, secondsBetween } from '../core/time.ts';
import { type AgentTable, type Row, type RowKey, readRow } from '../storage/rows.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import { type AgentChange, type AgentsById, isLoggedOut } from './diff-agents.ts';
import type { CurrentAgent, Feed } from './schema.ts';
import { attemptedAt } from './slot.ts';

// Agents who end calls while no callback comes are the proof that callbacks are lost. The feed therefore holds the first
// few calls that ended since the latest callback. They change only with writes that happen anyway.

/** So many calls without a callback are no coincidence. Single ones happen: some calls of an account are never posted. */
const maxEndedCalls = 5;

/** So many of them may be of one agent: somebody who tries the telephone alone proves nothing. */
const maxOfOneAgent = 2;

/** Calls that lie further apart do not belong together: that is a quiet hour. In milliseconds. */
const togetherMs = 60 * 60_000;

/** After a longer time without an answer nobody knows when a call ended that is over by then. */
const maxUnseenSeconds = 45;

/**
 * The agents who ended a call, by an answer at an instant, among those who changed. One who logs out does not count: the
 * service may have left an agent out of its list by mistake.
 */
export const agentsAfterCall = (
  { feed, agents }: { readonly feed: Feed; readonly agents: AgentsById },
  changes: readonly AgentChange[],
  at: string,
): readonly string[] => {
  const isSeen = feed.asOf !== undefined && secondsBetween(feed.asOf, at) <= maxUnseenSeconds;
  if (!isSeen) return [];
  return changes.filter(({ agentId, after }) => isCallEnd(agents.get(agentId), after)).map(({ agentId }) => agentId);
};

const isCallEnd = (before: CurrentAgent | undefined, after: CurrentAgent | undefined): boolean =>
  before?.state === 'in-call' && after !== undefined && after.state !== 'in-call' && !isLoggedOut(after);

/** The feed with the calls that some agents ended at an instant. Once there are enough, they stay until a callback comes. */
export const withEndedCalls = (feed: Feed, agentIds: readonly string[], at: string): Feed => {
  const atMs = Date.parse(at);
  const before = feed.poller.endedCalls ?? [];
  if (agentIds.length === 0 || before.length >= maxEndedCalls) return feed;

  const ended = before.filter((call) => atMs - call.at <= togetherMs);
  for (const by of agentIds.map(agentHash)) {
    const ofAgent = ended.filter((call) => call.by === by).length;
    if (ended.length < maxEndedCalls && ofAgent < maxOfOneAgent) ended.push({ at: atMs, by });
  }
  return withCalls(feed, ended);
};

/** Short numbers are enough for the few agents of the list. Two with the same one only make the list fill more slowly. */
const agentHash = (agentId: string): number =>
  [...agentId].reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 7);

/**
 * How long a callback may take after its call. The service posts many calls only when the agent has chosen a disposition,
 * about five minutes later.
 */
export const silenceGraceSeconds = 6 * 60;

/** The feed without the calls that ended up to an instant (milliseconds): a callback came since. */
export const withoutCallsUntil = (feed: Feed, untilMs: number): Feed => {
  const { endedCalls } = feed.poller;
  return endedCalls === undefined
    ? feed
    : withCalls(
        feed,
        endedCalls.filter(({ at }) => at > untilMs),
      );
};

const withCalls = (feed: Feed, endedCalls: NonNullable<Feed['poller']['endedCalls']>): Feed => {
  const { endedCalls: _before, ...poller } = feed.poller;
  return { ...feed, poller: { ...poller, ...(endedCalls.length > 0 && { endedCalls }) } };
};

/**
 * When the third of enough calls ended after which no callback came (ISO instant); undefined while there are fewer. So the
 * grace for callbacks on their way holds for three calls, and the others only have to have ended.
 */
export const silentSince = ({ poller: { endedCalls = [] } }: Feed): string | undefined => {
  const third = endedCalls.length < maxEndedCalls ? undefined : endedCalls[2];
  return third && new Date(third.at).toISOString();
};

/** The same once it is proven, by the time of the last attempt to poll: what the feed's row shows to readers. */
export const provenSilentSince = (feed: Feed): string | undefined => {
  const [since, attempt] = [silentSince(feed), attemptedAt(feed)];
  const isProven =
    since !== undefined && attempt !== undefined && secondsBetween(since, attempt) >= silenceGraceSeconds;
  return isProven ? since : undefined;
};

/** The row that dates an account's latest callback. */
export const receiptsKey = (account: string): RowKey => ({ pk: joinedKey(account, receiptsName), sk: receiptsName });

/** The name of that row in its keys. */
export const receiptsName = 'callbacks';

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
