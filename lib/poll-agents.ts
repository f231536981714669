import { isPolled, type PolledAccount } from './agent-login/request.ts';
import type { Floor } from './floor/floor.ts';
import { attempt } from './poll/attempt.ts';
import { claimSlot } from './poll/claim-slot.ts';
import { conclude } from './poll/conclude.ts';
import type { PollPorts } from './poll/run.ts';
import type { Accounts } from './ports.ts';
import { bearerTokens } from './token/bearer-tokens.ts';

/**
 * Serves the present slot of every account that is polled, side by side, each failing alone. What it remembers of floors
 * saves reading them; whether that is still so is found out by the writes themselves.
 */
export const pollAgents = ({ accounts, ...ports }: PollPorts & { readonly accounts: Accounts }) => {
  const { telemetry } = ports;
  const bearer = bearerTokens(ports);
  const known = new Map<string, Floor>();

  const serve = async (account: PolledAccount): Promise<void> => {
    const { userName } = account;
    const remembered = known.get(userName);
    // Unless the run ends well, it knows nothing any more.
    known.delete(userName);

    const floor = await serveSlot({ ...ports, account, bearer }, remembered);
    if (floor === undefined) telemetry.count('PollsOvertaken');
    else known.set(userName, floor);
  };

  return async (): Promise<void> => {
    const book = await accounts.current().catch((error: unknown) => telemetry.fault('accounts', error));
    const polled = book?.all.filter(isPolled) ?? [];
    await Promise.all(
      polled.map((account) => serve(account).catch((error: unknown) => telemetry.fault('agent-store', error))),
    );
  };
};

/** One account's slot. Answers the floor as it is now, or undefined if somebody else has taken over. */
const serveSlot = async (
  run: Parameters<typeof claimSlot>[0],
  remembered: Floor | undefined,
): Promise<Floor | undefined> => {
  const { mayAsk, floor } = await claimSlot(run, remembered);
  if (!mayAsk || floor === undefined) return floor;

  const asked = await attempt(run, floor);
  return asked && conclude(run, asked.floor, asked);
};
