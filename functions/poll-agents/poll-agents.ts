import { type Accounts, accountsRecorder } from '../../lib/accounts/account-index.ts';
import { hasCallbacks, isPolled, type PolledAccount, pollingKey } from '../../lib/accounts/accounts.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import { tokenCache } from '../../lib/service/token-cache.ts';
import { type Gauge, gauge } from '../../lib/telemetry/metrics.ts';
import type { AccountAgents, StorePorts } from './agent-store.ts';
import { type PollRun, pollSlot } from './poll-slot.ts';
import { receiptsReader, silenceSeconds } from './silence.ts';

export interface PollPorts extends StorePorts, Pick<PollRun, 'service' | 'env' | 'pause'> {
  readonly accounts: Accounts;
}

export const feedAge = gauge('FeedAgeSeconds');
export const callbackSilence = gauge('CallbackSilenceSeconds');

/** How long a run may go on beginning new work, in milliseconds from its start. */
const workWindowMs = 9_000;

/** Polls all accounts side by side, so one's failure stays its own. Conditional writes find outdated memories. */
export const pollAgents = ({ accounts, ...ports }: PollPorts) => {
  const { clock, telemetry } = ports;
  const getToken = tokenCache(ports);
  const getReceipts = receiptsReader(ports);
  const recordAccounts = accountsRecorder(ports);
  const remembered = new Map<string, AccountAgents>();
  const rejectedKeys = new Map<string, string>();
  /** For each account that could not be polled: the ISO instant of the last answer, or else of the first failure. */
  const failingSince = new Map<string, string>();

  const pollAll = async (): Promise<void> => {
    // A key that the service rejects may have been rotated a moment ago.
    const reading = rejectedKeys.size > 0 ? accounts.refresh() : accounts.current();
    const all = await reading.then((index) => index.all, noAccounts);
    if (all === undefined) return;
    const polled = all.filter(isPolled);
    const names = polled.map(({ userName }) => userName);
    // A rejected key has the secret read again in every run: so it is forgotten with an account that is no longer polled.
    for (const byName of [remembered, rejectedKeys, failingSince])
      for (const name of byName.keys()) if (!names.includes(name)) byName.delete(name);
    await Promise.all([...polled.map(pollIsolated), recordAccounts(all)]);

    emitLongest(feedAge, names.map(secondsSinceAnswer));
    emitLongest(callbackSilence, await Promise.all(polled.filter(hasCallbacks).map(secondsOfSilence)));
  };

  const noAccounts = (error: unknown): undefined => {
    telemetry.fault('accounts', error);
    return undefined;
  };

  /** The longest: an account that works must not hide another. 0 without accounts, as an alarm needs a value. */
  const emitLongest = (metric: Gauge, seconds: readonly (number | undefined)[]): void => {
    const known = seconds.filter((each) => each !== undefined);
    if (known.length > 0 || seconds.length === 0) telemetry.measure(metric, Math.max(0, ...known));
  };

  /** Before the first answer the age counts from the first failure. */
  const secondsSinceAnswer = (userName: string): number | undefined => {
    const { asOf, failingSince: failing } = remembered.get(userName)?.pollStatus ?? {};
    const since = asOf ?? failing ?? failingSince.get(userName);
    return since === undefined ? undefined : secondsBetween(since, clock().toISOString());
  };

  const secondsOfSilence = async ({ userName }: PolledAccount): Promise<number | undefined> => {
    const poller = remembered.get(userName)?.pollStatus.poller;
    const receipts = poller && (await getReceipts(userName));
    return receipts && silenceSeconds(poller, receipts, clock());
  };

  const pollIsolated = async (account: PolledAccount): Promise<void> => {
    const { userName } = account;
    const before = remembered.get(userName);
    try {
      await pollAccount(account, before);
      failingSince.delete(userName);
    } catch (error) {
      telemetry.fault('agent-store', error);
      // Without this account's age, FeedAgeSeconds would show only the accounts that succeed.
      if (!failingSince.has(userName)) failingSince.set(userName, before?.pollStatus.asOf ?? clock().toISOString());
    }
  };

  const pollAccount = async (account: PolledAccount, before: AccountAgents | undefined): Promise<void> => {
    const { userName } = account;
    // After a run that fails, nothing is known for certain.
    remembered.delete(userName);
    const rejectedKey = rejectedKeys.get(userName);
    const hasNewKey = rejectedKey !== undefined && rejectedKey !== pollingKey(account);
    const untilMs = clock().getTime() + workWindowMs;
    const slot = await pollSlot({ ...ports, account, getToken, getReceipts, untilMs, hasNewKey }, before);
    if (!slot.ok || slot.value.known === undefined) return;

    const { kind, known } = slot.value;
    remembered.set(userName, known);
    const { failingSince: since, lastProblem } = known.pollStatus;
    if (since === undefined || lastProblem?.reason !== 'unauthorised') rejectedKeys.delete(userName);
    // Only a poll rejects a new key: the second tick of a slot skips it, and must not prevent the poll of the next slot.
    else if (rejectedKey === undefined || (hasNewKey && kind === 'polled'))
      rejectedKeys.set(userName, pollingKey(account));
  };

  return pollAll;
};
