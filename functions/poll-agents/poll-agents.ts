import { type Accounts, accountsRecorder } from '../../lib/accounts/account-index.ts';
import { hasCallbacks, isPolled, type PolledAccount, pollingKey } from '../../lib/accounts/accounts.ts';
import type { CallbackReceipts } from '../../lib/agents/callback-receipts.ts';
import type { PollStatus } from '../../lib/agents/schema.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import { tokenCache } from '../../lib/service/token-cache.ts';
import type { Telemetry } from '../../lib/telemetry/metrics.ts';
import type { AccountAgents, StorePorts } from './agent-store.ts';
import { type PollRun, pollSlot } from './poll-slot.ts';
import { receiptsReader, silenceSeconds } from './silence.ts';

export interface PollPorts extends StorePorts, Pick<PollRun, 'service' | 'retention' | 'pause'> {
  readonly accounts: Accounts;
}

/** How long a run may go on beginning new work, in milliseconds from its start. */
const workWindowMs = 9_000;

/**
 * Polls the present slot of every account, side by side, so that one account's failure stays its own. Agents remembered
 * from the run before save a read. The conditional writes show whether they are still current.
 */
export const pollAgents = ({ accounts, ...ports }: PollPorts) => {
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
    const names = polled.map(({ userName }) => userName);
    // A rejected key has the secret read again in every run: so it is forgotten with an account that is no longer polled.
    for (const byName of [remembered, rejectedKeys, failingSince])
      for (const name of byName.keys()) if (!names.includes(name)) byName.delete(name);
    await Promise.all([...polled.map(pollAlone), recordAccounts(all)]);

    emitFeedAge(
      telemetry,
      {
        known: names.map((name) => remembered.get(name)),
        failingSince: names.flatMap((name) => failingSince.get(name) ?? []),
      },
      clock(),
    );
    emitSilence(telemetry, await Promise.all(polled.filter(hasCallbacks).map(callbacksOf)), clock());
  };

  const callbacksOf = async ({ userName }: PolledAccount): Promise<ExpectedCallbacks | undefined> => {
    const pollStatus = remembered.get(userName)?.pollStatus;
    const receipts = pollStatus && (await getReceipts(userName));
    return pollStatus && receipts && { pollStatus, receipts };
  };

  const noAccounts = (error: unknown): undefined => {
    telemetry.fault('accounts', error);
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
      // Without this account's age, FeedAgeSeconds would show only the accounts that succeed.
      if (!failingSince.has(userName)) failingSince.set(userName, before?.pollStatus.asOf ?? clock().toISOString());
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
    if (known === undefined) return;

    remembered.set(userName, known);
    const { failingSince: since, lastProblem } = known.pollStatus;
    if (since === undefined || lastProblem?.reason !== 'unauthorised') rejectedKeys.delete(userName);
    // Only a poll rejects a new key: the second tick of a slot skips it, and must not prevent the poll of the next slot.
    else if (rejectedKey === undefined || (hasNewKey && kind === 'polled'))
      rejectedKeys.set(userName, pollingKey(account));
  };

  return pollAll;
};

/** What a run knows at its end. */
interface PolledAccounts {
  /** The agents of each polled account; undefined where the run does not know them. */
  readonly known: readonly (AccountAgents | undefined)[];
  /** For each account that the run could not poll: the ISO instant of the last answer, or else of the first failure. */
  readonly failingSince: readonly string[];
}

/**
 * Measures how old the latest answer is, for the account where it is oldest. If no account is polled the age is 0, because an alarm
 * watches for missing ages.
 */
const emitFeedAge = (telemetry: Telemetry, { known, failingSince }: PolledAccounts, now: Date): void => {
  const dated = known.flatMap((account) => (account === undefined ? [] : lastAnswerAt(account.pollStatus)));
  const ages = [...dated, ...failingSince].map((since) => Math.max(0, secondsBetween(since, now.toISOString())));
  if (ages.length > 0 || known.length === 0) telemetry.measure('FeedAgeSeconds', Math.max(0, ...ages));
};

/** Before the first answer the age counts from the first failure. */
const lastAnswerAt = ({ asOf, failingSince }: PollStatus): readonly string[] => {
  const since = asOf ?? failingSince;
  return since === undefined ? [] : [since];
};

interface ExpectedCallbacks {
  readonly pollStatus: PollStatus;
  readonly receipts: CallbackReceipts;
}

/**
 * Measures for how long callbacks have been missing, for the account where it is longest: an account that works must not hide
 * one that does not. An account is undefined where the run does not know it.
 */
const emitSilence = (telemetry: Telemetry, accounts: readonly (ExpectedCallbacks | undefined)[], now: Date): void => {
  const known = accounts.filter((account) => account !== undefined);
  if (known.length === 0 && accounts.length > 0) return;
  const silences = known.map(({ pollStatus, receipts }) => silenceSeconds(pollStatus.poller, receipts, now));
  telemetry.measure('CallbackSilenceSeconds', Math.max(0, ...silences));
};
