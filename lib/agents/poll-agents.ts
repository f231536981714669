import type { Accounts } from '../accounts/account-index.ts';
import { emitAccountsFault } from '../accounts/accounts.ts';
import { acquireSlot, type SlotResult } from './acquire-slot.ts';
import { applyPollResult } from './apply-result.ts';
import { fetchWithRetry } from './fetch-logins.ts';
import { isPolled, type PolledAccount, pollingKey } from './get-agent-logins.ts';
import {
  emitFloorMetrics,
  emitNoAnswerMetrics,
  type PollContext,
  type PollPorts,
  workWindowMs,
} from './poll-context.ts';
import type { Floor } from './read-agents.ts';
import { tokenCache } from './token-cache.ts';

/**
 * Serves the present slot of every account that is polled, side by side, each failing alone. What it remembers of floors
 * saves reading them; whether that is still so is found out by the writes themselves.
 */
export const pollAgents = ({ accounts, ...ports }: PollPorts & { readonly accounts: Accounts }) => {
  const { clock, telemetry } = ports;
  const bearer = tokenCache(ports);
  const known = new Map<string, Floor>();
  const refusedKeys = new Map<string, string>();
  const unheardSince = new Map<string, string>();

  const withoutAccounts = (error: unknown): readonly PolledAccount[] => {
    emitAccountsFault(telemetry, 'AccountsUnreadable', error);
    return [];
  };

  /** While others are served, nobody would see that this one has not been heard of for long. */
  const failed = (userName: string, remembered: Floor | undefined, error: unknown): void => {
    telemetry.fault('agent-store', error);
    emitNoAnswerMetrics(telemetry, 'PollsFailed');
    if (!unheardSince.has(userName)) unheardSince.set(userName, remembered?.feed.asOf ?? clock().toISOString());
  };

  const serve = async (account: PolledAccount): Promise<void> => {
    const { userName } = account;
    const remembered = known.get(userName);
    // Unless the run ends well, it knows nothing any more.
    known.delete(userName);

    const refusedKey = refusedKeys.get(userName);
    const hasNewKey = refusedKey !== undefined && refusedKey !== pollingKey(account);
    const untilMs = clock().getTime() + workWindowMs;
    const served = await pollSlot({ ...ports, account, getToken: bearer, untilMs, hasNewKey }, remembered);
    if (served.kind === 'conflict') telemetry.count('PollConflicts');
    if (served.floor === undefined) return;

    const { feed } = served.floor;
    known.set(userName, served.floor);
    if (feed.failingSince === undefined || feed.lastProblem?.reason !== 'unauthorised') refusedKeys.delete(userName);
    else if (refusedKey === undefined || hasNewKey) refusedKeys.set(userName, pollingKey(account));
  };

  const serveAlone = async (account: PolledAccount): Promise<void> => {
    const { userName } = account;
    const remembered = known.get(userName);
    try {
      await serve(account);
      unheardSince.delete(userName);
    } catch (error) {
      failed(userName, remembered, error);
    }
  };

  return async (): Promise<void> => {
    // A key that is refused may have been changed a moment ago.
    const reading = refusedKeys.size > 0 ? accounts.refresh() : accounts.current();
    const polled = await reading.then(({ all }) => all.filter(isPolled), withoutAccounts);
    await Promise.all(polled.map(serveAlone));
    const names = polled.map(({ userName }) => userName);
    const floors = names.map((name) => known.get(name));
    const unheard = names.flatMap((name) => unheardSince.get(name) ?? []);
    emitFloorMetrics(telemetry, { floors, failingSince: unheard }, clock());
  };
};

/** One account's slot: what became of it, and the floor as it is now, if this run knows it. */
const pollSlot = async (run: PollContext, remembered: Floor | undefined): Promise<SlotResult> => {
  const turn = await acquireSlot(run, remembered);
  if (turn.kind !== 'acquired' || turn.floor === undefined) return turn;

  const asked = await fetchWithRetry(run, turn.floor);
  const floor = asked && (await applyPollResult(run, asked.floor, asked));
  return floor === undefined ? { kind: 'conflict', floor } : { kind: 'acquired', floor };
};
