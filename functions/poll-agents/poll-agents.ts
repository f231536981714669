import { type Accounts, accountsKey, namedAccounts } from '../../lib/accounts/account-index.ts';
import { type Account, hasCallbacks, isPolled, type PolledAccount, pollingKey } from '../../lib/accounts/accounts.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import { tokenCache } from '../../lib/service/token-cache.ts';
import { type Gauge, gauge } from '../../lib/telemetry/metrics.ts';
import type { AccountAgents, StorePorts } from './agent-store.ts';
import { type PollRun, pollSlot, type SlotResult } from './poll-slot.ts';
import { receiptsReader, silenceSeconds } from './silence.ts';

export interface PollPorts extends StorePorts, Pick<PollRun, 'service' | 'env' | 'pause'> {
  readonly accounts: Accounts;
}

export const feedAge = gauge('FeedAgeSeconds');
export const callbackSilence = gauge('CallbackSilenceSeconds');

/** How long a run may go on beginning new work, in milliseconds from its start. */
const workWindowMs = 9_000;

/** What a process remembers of an account between its runs. A conditional write fails if it is outdated. */
interface Memory {
  /** Absent during a run and after one that failed: then nothing is known for certain. */
  readonly known?: AccountAgents | undefined;
  /** The key that the service rejected, until a poll succeeds. */
  readonly rejectedKey?: string | undefined;
  /** While polls end with an error: the ISO instant of the last answer, or else of the first error. */
  readonly failingSince?: string | undefined;
}

/** Polls all accounts side by side, so one's failure stays its own. */
export const pollAgents = ({ accounts, ...ports }: PollPorts) => {
  const { clock, telemetry } = ports;
  const getToken = tokenCache(ports);
  const getReceipts = receiptsReader(ports);
  const recordAccounts = accountsRecorder(ports);
  const memories = new Map<string, Memory>();
  const memoryOf = (userName: string): Memory => memories.get(userName) ?? {};

  const pollAll = async (): Promise<void> => {
    // A key that the service rejects may have been rotated a moment ago.
    const hasRejectedKey = [...memories.values()].some(({ rejectedKey }) => rejectedKey !== undefined);
    const reading = hasRejectedKey ? accounts.refresh() : accounts.current();
    const all = await reading.then((index) => index.all, noAccounts);
    if (all === undefined) return;
    const polled = all.filter(isPolled);
    const names = polled.map(({ userName }) => userName);
    // A rejected key of an account that is no longer polled would otherwise cause a reading of the secret in every run.
    for (const name of memories.keys()) if (!names.includes(name)) memories.delete(name);
    await Promise.all([...polled.map(pollOne), recordAccounts(all)]);

    emitLongest(feedAge, names.map(secondsSinceAnswer));
    emitLongest(callbackSilence, await Promise.all(polled.filter(hasCallbacks).map(secondsOfSilence)));
  };

  const noAccounts = (error: unknown): undefined => {
    telemetry.fault('accounts', error);
    return undefined;
  };

  const pollOne = async (account: PolledAccount): Promise<void> => {
    const { userName } = account;
    const { known: before, rejectedKey, failingSince } = memoryOf(userName);
    memories.set(userName, { rejectedKey, failingSince });
    const hasNewKey = rejectedKey !== undefined && rejectedKey !== pollingKey(account);
    const untilMs = clock().getTime() + workWindowMs;
    try {
      const slot = await pollSlot({ ...ports, account, getToken, getReceipts, untilMs, hasNewKey }, before);
      memories.set(userName, slot.ok ? memoryAfter(slot.value, account, rejectedKey) : { rejectedKey });
    } catch (error) {
      telemetry.fault('agent-store', error);
      // Without this account's age, FeedAgeSeconds would show only the accounts that succeed.
      const since = failingSince ?? before?.pollStatus.asOf ?? clock().toISOString();
      memories.set(userName, { rejectedKey, failingSince: since });
    }
  };

  /** Emits the longest, so that no account that works hides another. Without accounts it is 0, as an alarm needs a value. */
  const emitLongest = (metric: Gauge, seconds: readonly (number | undefined)[]): void => {
    const known = seconds.filter((each) => each !== undefined);
    if (known.length > 0 || seconds.length === 0) telemetry.measure(metric, Math.max(0, ...known));
  };

  /** Before the first answer the age counts from the first failure. */
  const secondsSinceAnswer = (userName: string): number | undefined => {
    const { known, failingSince } = memoryOf(userName);
    const since = known?.pollStatus.asOf ?? known?.pollStatus.failingSince ?? failingSince;
    return since === undefined ? undefined : secondsBetween(since, clock().toISOString());
  };

  const secondsOfSilence = async ({ userName }: PolledAccount): Promise<number | undefined> => {
    const poller = memoryOf(userName).known?.pollStatus.poller;
    const receipts = poller && (await getReceipts(userName));
    return receipts && silenceSeconds(poller, receipts, clock());
  };

  return pollAll;
};

const memoryAfter = ({ kind, known }: SlotResult, account: PolledAccount, rejectedKey: string | undefined): Memory => {
  if (known === undefined) return { rejectedKey };
  const { failingSince, lastProblem } = known.pollStatus;
  if (failingSince === undefined || lastProblem?.reason !== 'unauthorised') return { known };
  // Only a poll rejects a new key: the second tick of a slot skips it, and must not prevent the poll of the next slot.
  const isOfPresentKey = rejectedKey === undefined || kind === 'polled';
  return { known, rejectedKey: isOfPresentKey ? pollingKey(account) : rejectedKey };
};

/** Stores changed names and zones: readers need no right to the secret. After a failure the next run tries again. */
const accountsRecorder = ({ table, telemetry }: Pick<PollPorts, 'table' | 'telemetry'>) => {
  let recorded = '';
  return async (all: readonly Account[]): Promise<void> => {
    const accounts = namedAccounts(all);
    const text = JSON.stringify(accounts);
    if (text === recorded) return;
    try {
      await table.put([{ ...accountsKey, kind: 'accounts', accounts }]);
      recorded = text;
    } catch (error) {
      telemetry.fault('agent-store', error);
    }
  };
};
