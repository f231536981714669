import {
  type Accounts,
  emitAccountsFault,
  hasCallbacks,
  isPolled,
  type PolledAccount,
  pollingKey,
} from '../accounts/accounts.ts';
import { accountsRecorder } from '../accounts/accounts-row.ts';
import { tokenCache } from '../telephony/service/token-cache.ts';
import { acquireSlot, type SlotResult } from './acquire-slot.ts';
import { applyPollResult, fetchWithRetry } from './answer.ts';
import type { AccountAgents } from './poll-context.ts';
import {
  type ExpectedCallbacks,
  emitAgentMetrics,
  emitCallbackMetrics,
  emitNoAnswerMetrics,
  type PollContext,
  type PollPorts,
  workWindowMs,
} from './poll-context.ts';
import { receiptsReader } from './silence.ts';

/**
 * Polls the present slot of every account, side by side, so that one account's failure stays its own. Agents remembered
 * from the run before save a read. Whether they are still current is found out by the conditional writes.
 */
export const pollAgents = ({ accounts, ...ports }: PollPorts & { readonly accounts: Accounts }) => {
  const { clock, telemetry } = ports;
  const getToken = tokenCache(ports);
  const getReceipts = receiptsReader(ports);
  const recordAccounts = accountsRecorder(ports);
  const remembered = new Map<string, AccountAgents>();
  const rejectedKeys = new Map<string, string>();
  const failingSince = new Map<string, string>();

  const pollAll = async (): Promise<void> => {
    // A key that the service rejects may have been rotated a moment ago.
    const reading = rejectedKeys.size > 0 ? accounts.refresh() : accounts.current();
    const all = await reading.then((index) => index.all, noAccounts);
    if (all === undefined) return;
    const polled = all.filter(isPolled);
    await Promise.all([...polled.map(pollAlone), recordAccounts(all)]);

    const names = polled.map(({ userName }) => userName);
    emitAgentMetrics(
      telemetry,
      {
        known: names.map((name) => remembered.get(name)),
        failingSince: names.flatMap((name) => failingSince.get(name) ?? []),
      },
      clock(),
    );
    emitCallbackMetrics(telemetry, await Promise.all(polled.filter(hasCallbacks).map(callbacksOf)), clock());
  };

  const callbacksOf = async ({ userName }: PolledAccount): Promise<ExpectedCallbacks | undefined> => {
    const feed = remembered.get(userName)?.feed;
    const receipts = feed && (await getReceipts(userName));
    return feed && receipts && { feed, receipts };
  };

  const noAccounts = (error: unknown): undefined => {
    emitAccountsFault(telemetry, 'AccountsUnreadable', error);
    return undefined;
  };

  const pollAlone = async (account: PolledAccount): Promise<void> => {
    const { userName } = account;
    const before = remembered.get(userName);
    try {
      await pollAccount(account);
      failingSince.delete(userName);
    } catch (error) {
      telemetry.fault('agent-store', error);
      emitNoAnswerMetrics(telemetry, 'PollsFailed');
      // Without this account's age, FeedAgeSeconds would show only the accounts that succeed.
      if (!failingSince.has(userName)) failingSince.set(userName, before?.feed.asOf ?? clock().toISOString());
    }
  };

  const pollAccount = async (account: PolledAccount): Promise<void> => {
    const { userName } = account;
    const before = remembered.get(userName);
    // After a run that fails, nothing is known for certain.
    remembered.delete(userName);

    const rejectedKey = rejectedKeys.get(userName);
    const hasNewKey = rejectedKey !== undefined && rejectedKey !== pollingKey(account);
    const untilMs = clock().getTime() + workWindowMs;
    const { kind, known } = await pollSlot({ ...ports, account, getToken, getReceipts, untilMs, hasNewKey }, before);
    if (kind === 'conflict') telemetry.count('PollConflicts');
    if (known === undefined) return;

    const { feed } = known;
    remembered.set(userName, known);
    if (feed.failingSince === undefined || feed.lastProblem?.reason !== 'unauthorised') rejectedKeys.delete(userName);
    // Only a poll rejects a new key: the second tick of a slot skips it, and must not prevent the poll of the next slot.
    else if (rejectedKey === undefined || (hasNewKey && kind === 'acquired'))
      rejectedKeys.set(userName, pollingKey(account));
  };

  return pollAll;
};

/** Polls one account's slot: acquire it, fetch the logins, write what they change. */
const pollSlot = async (run: PollContext, remembered: AccountAgents | undefined): Promise<SlotResult> => {
  const slot = await acquireSlot(run, remembered);
  if (slot.kind !== 'acquired' || slot.known === undefined) return slot;

  const result = await fetchWithRetry(run, slot.known);
  const known = result && (await applyPollResult(run, result));
  return known === undefined ? { kind: 'conflict', known } : { kind: 'acquired', known };
};
