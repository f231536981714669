import {
  type CallbackReceipts,
  callbackPossibleUntilMs,
  receiptIntervalSeconds,
  receiptsKey,
  receiptsOf,
} from '../../lib/agents/callback-receipts.ts';
import type { AgentChange, Poller } from '../../lib/agents/schema.ts';
import { type Clock, secondsBetween } from '../../lib/core/time.ts';
import type { AgentTable } from '../../lib/storage/rows.ts';
import type { Telemetry } from '../../lib/telemetry/metrics.ts';
import { loggedOut } from '../../lib/telephony/vocabularies.ts';
import { attemptedAt } from './rate-limit.ts';

// Agents who end calls while no callback comes prove that callbacks are lost. So the poller keeps the first few calls that
// ended since the latest callback. `callback-receipts.ts` has what the publisher notes of callbacks.

/** So many calls without a callback are no coincidence. Single ones happen: some calls of an account are never posted. */
const maxEndedCalls = 5;

/** So many of them may be of one agent: somebody who tries the telephone alone proves nothing. */
const maxOfOneAgent = 2;

/** Calls that lie further apart do not belong together: that is a quiet hour. In milliseconds. */
const togetherMs = 60 * 60_000;

/** If the answer before is older than so many seconds, it is unknown when a call ended. */
const maxUnseenSeconds = 45;

/** Adds the calls that ended between `asOf` and `at`. Once there are enough, they stay until a callback comes. */
export const withEndedCalls = (
  poller: Poller,
  changes: readonly AgentChange[],
  { asOf, at }: { readonly asOf: string | undefined; readonly at: string },
): Poller => {
  const atMs = Date.parse(at);
  const before = poller.endedCalls ?? [];
  const isSeen = asOf !== undefined && secondsBetween(asOf, at) <= maxUnseenSeconds;
  const endedBy = isSeen ? changes.filter(isCallEnd).map(({ agentId }) => agentHash(agentId)) : [];
  if (before.length >= maxEndedCalls) return poller;

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
  [...agentId].reduce((hash, character) => (hash * 31 + Number(character.codePointAt(0))) % 65_521, 7);

/** How long after its call a callback may come: many follow the agent's disposition, about five minutes later. */
export const silenceGraceSeconds = 6 * 60;

const withCalls = (
  { endedCalls: _before, ...poller }: Poller,
  endedCalls: NonNullable<Poller['endedCalls']>,
): Poller => (endedCalls.length > 0 ? { ...poller, endedCalls } : poller);

export const withoutEndedCalls = (poller: Poller): Poller => withCalls(poller, []);

/**
 * When the third of five calls without a callback ended; undefined while fewer than five lack one. The first three have had time
 * for a callback once the grace after that end is over. Of the last two it is enough that they ended.
 */
const silentSince = ({ endedCalls = [] }: Poller): string | undefined => {
  const third = endedCalls.length < maxEndedCalls ? undefined : endedCalls[2];
  return third && new Date(third.at).toISOString();
};

/** The end of the third call, if the grace was over at the last attempt to poll; undefined before. The row shows it to readers. */
export const provenSilentSince = (poller: Poller): string | undefined => {
  const since = silentSince(poller);
  const attempt = attemptedAt(poller);
  const isProven =
    since !== undefined && attempt !== undefined && secondsBetween(since, attempt) >= silenceGraceSeconds;
  return isProven ? since : undefined;
};

/** Seconds since the third of five calls that lack a callback, else zero. A proof from `silenceGraceSeconds` on. */
export const silenceSeconds = (poller: Poller, receipts: CallbackReceipts, now: Date): number => {
  const since = silentSince(withReceipts(poller, receipts));
  return since === undefined ? 0 : Math.max(0, secondsBetween(since, now.toISOString()));
};

/** The poller's state without the ended calls after which a callback came, or after which the publisher was behind. */
export const withReceipts = (poller: Poller, receipts: CallbackReceipts): Poller => {
  const untilMs = callbackPossibleUntilMs(receipts);
  const unanswered = poller.endedCalls?.filter(({ at }) => at > untilMs);
  return unanswered === undefined ? poller : withCalls(poller, unanswered);
};

/** What a process knows of an account's receipts; undefined if they could not be read lately. */
export type GetReceipts = (account: string) => Promise<CallbackReceipts | undefined>;

interface ReadingPorts {
  readonly table: AgentTable;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** The receipts of the accounts, each read at most once a minute. A failed read is logged: agents are polled all the same. */
export const receiptsReader = ({ table, clock, telemetry }: ReadingPorts): GetReceipts => {
  const lastRead = new Map<string, { readonly atMs: number; readonly receipts: CallbackReceipts | undefined }>();
  const read = async (account: string): Promise<CallbackReceipts | undefined> => {
    try {
      const [row] = await table.query(receiptsKey(account).pk);
      return receiptsOf(row);
    } catch (error) {
      telemetry.fault('agent-store', error);
      return undefined;
    }
  };

  return async (account) => {
    const atMs = clock().getTime();
    const last = lastRead.get(account);
    if (last !== undefined && atMs - last.atMs < receiptIntervalSeconds * 1000) return last.receipts;
    const receipts = await read(account);
    lastRead.set(account, { atMs, receipts });
    return receipts;
  };
};
