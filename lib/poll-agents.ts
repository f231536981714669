import { tellAccountsFault } from './account/tell-accounts-fault.ts';
import { isPolled, type PolledAccount, pollingKey } from './agent-login/request.ts';
import type { Floor } from './floor/floor.ts';
import { attempt } from './poll/attempt.ts';
import { claimSlot, type Turn } from './poll/claim-slot.ts';
import { conclude } from './poll/conclude.ts';
import { measureFloors } from './poll/measure-floors.ts';
import { beginsForMs, type PollPorts, type Run } from './poll/run.ts';
import { tellNoAnswer } from './poll/tell-no-answer.ts';
import type { Accounts } from './ports.ts';
import { bearerTokens } from './token/bearer-tokens.ts';

/**
 * Serves the present slot of every account that is polled, side by side, each failing alone. What it remembers of floors
 * saves reading them; whether that is still so is found out by the writes themselves.
 */
export const pollAgents = ({ accounts, ...ports }: PollPorts & { readonly accounts: Accounts }) => {
  const { clock, telemetry } = ports;
  const bearer = bearerTokens(ports);
  const known = new Map<string, Floor>();
  const refusedKeys = new Map<string, string>();
  const unheardSince = new Map<string, string>();

  const withoutAccounts = (error: unknown): readonly PolledAccount[] => {
    tellAccountsFault(telemetry, 'AccountsUnreadable', error);
    return [];
  };

  /** While others are served, nobody would see that this one has not been heard of for long. */
  const failed = (userName: string, remembered: Floor | undefined, error: unknown): void => {
    telemetry.fault('agent-store', error);
    tellNoAnswer(telemetry, 'PollsFailed');
    if (!unheardSince.has(userName)) unheardSince.set(userName, remembered?.feed.asOf ?? clock().toISOString());
  };

  const serve = async (account: PolledAccount): Promise<void> => {
    const { userName } = account;
    const remembered = known.get(userName);
    // Unless the run ends well, it knows nothing any more.
    known.delete(userName);

    const refusedKey = refusedKeys.get(userName);
    const hasNewKey = refusedKey !== undefined && refusedKey !== pollingKey(account);
    const untilMs = clock().getTime() + beginsForMs;
    const served = await serveSlot({ ...ports, account, bearer, untilMs, hasNewKey }, remembered);
    if (served.kind === 'overtaken') telemetry.count('PollsOvertaken');
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
    const reading = refusedKeys.size > 0 ? accounts.refreshed() : accounts.current();
    const polled = await reading.then(({ all }) => all.filter(isPolled), withoutAccounts);
    await Promise.all(polled.map(serveAlone));
    const names = polled.map(({ userName }) => userName);
    const floors = names.map((name) => known.get(name));
    const unheard = names.flatMap((name) => unheardSince.get(name) ?? []);
    measureFloors(telemetry, { floors, unheardSince: unheard }, clock());
  };
};

/** One account's slot: what became of it, and the floor as it is now, if this run knows it. */
const serveSlot = async (run: Run, remembered: Floor | undefined): Promise<Turn> => {
  const turn = await claimSlot(run, remembered);
  if (turn.kind !== 'mine' || turn.floor === undefined) return turn;

  const asked = await attempt(run, turn.floor);
  const floor = asked && (await conclude(run, asked.floor, asked));
  return floor === undefined ? { kind: 'overtaken', floor } : { kind: 'mine', floor };
};
