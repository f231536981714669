import { isHeldUp, isSilent } from '../../lib/agents/callback-receipts.ts';
import { rejectionResponses } from '../../lib/callback/reply.ts';
import { bodyOf, isUnknownSender } from '../../lib/callback/store-or-park.ts';
import { reconciliationState } from '../commands/reconciliation/follow-run.ts';
import { areCallbacksMissing, statusCells } from '../commands/reconciliation/reconciliation.ts';
import { backlogOf, queueDepth } from '../dead-letters.ts';
import { callIn } from '../operate/redrive-quarantined.ts';
import { known, Problem } from '../problem.ts';
import { getEntry, isHarmless, scanEntries } from '../quarantine-entries.ts';
import { callbackReceipts } from '../reader.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { feedAnswer } from './floor.ts';
import { simulatedRequests } from './sandbox.ts';

const dayMs = 86_400_000;

export const readHealth = async ({ account, client, clock, deployment: { bus } }: ShownAccount) => {
  const now = clock();
  const [feed, changes] = await Promise.all([
    client.feed(),
    client.feedChanges({ from: new Date(now.getTime() - dayMs) }),
  ]);
  // A deployment keeps no such counts in its tables.
  const requests = bus.kind === 'sandbox' ? await simulatedRequests(bus.eventsAddress, account) : undefined;
  return { ...feedAnswer(feed, now), feed: feed.feed, changes, requests };
};

export type HealthAnswer = Awaited<ReturnType<typeof readHealth>>;

/** What operators look after. Each part is read with a right of its own, so each can be unknown on its own. */
export const readOperations = async (account: ShownAccount) => {
  const { clock, deployment } = account;
  const { queues } = deployment;
  const now = clock();
  const [quarantine, parked, deadLetters, forwarding, reconciliation, callbacks] = await Promise.all([
    known(quarantineByReason(deployment)),
    known(queueDepth(deployment, queues.parking)),
    known(queueDepth(deployment, queues.deadLetters)),
    queues.forwarding && known(backlogOf(deployment, queues.forwarding)),
    known(reconciliationHealth(account, now)),
    known(callbacksOf(account, now)),
  ]);
  return { now: now.toISOString(), quarantine, parked, deadLetters, forwarding, reconciliation, callbacks };
};

export type OperationsAnswer = Awaited<ReturnType<typeof readOperations>>;

const reconciliationHealth = async ({ deployment, account }: ShownAccount, now: Date) => {
  if (deployment.queues.reconciliation === undefined) return undefined;
  const state = await reconciliationState(deployment, account);
  return { ...statusCells(state, now), areCallbacksMissing: areCallbacksMissing(state) };
};

const callbacksOf = async ({ deployment, account, client }: ShownAccount, now: Date) => {
  const [{ feed }, receipts] = await Promise.all([client.feed(), callbackReceipts(deployment, account)]);
  const { callbacksSilentSince } = feed ?? {};
  return {
    lastReceivedAt: receipts.lastReceivedAt,
    silentSince: isSilent(callbacksSilentSince, receipts) ? callbacksSilentSince : undefined,
    heldUpAt: isHeldUp(receipts, now) ? receipts.heldUpAt : undefined,
  };
};

const [maxPages, newestShown] = [2, 5];

interface Entry {
  readonly id: string;
  readonly reason: string;
  readonly receivedAt: string;
  readonly account?: string | undefined;
  readonly isHarmless: boolean;
  readonly isRedrivable: boolean;
}

/** Counts up to 2 MB of quarantine by reason: enough to say what is wrong, and little to pay for on each look. */
const quarantineByReason = async (deployment: ConsoleSettings['deployment']) => {
  const entries: Entry[] = [];
  let [pages, isAtLeast] = [0, false];
  const onRead = (_rows: number, isWhole: boolean): void => {
    isAtLeast = !isWhole;
  };
  for await (const page of scanEntries(deployment, { isDismissed: false }, onRead)) {
    for (const { id, entry } of page) {
      const { reason, receivedAt, account } = entry;
      const call = callIn(entry);
      const flags = { isHarmless: isHarmless(entry, call), isRedrivable: call === 'found' };
      if (!isUnknownSender(entry)) entries.push({ id, reason, receivedAt, account, ...flags });
    }
    pages += 1;
    if (pages === maxPages) break;
  }
  const reasons = [...Map.groupBy(entries, ({ reason }) => reason)].map(([reason, found]) => ({
    reason,
    message: messageOf(reason),
    isHarmless: found.every((one) => one.isHarmless),
    count: found.length,
    redrivable: found.filter(({ isRedrivable }) => isRedrivable).length,
    newest: found
      .toSorted((a, b) => b.receivedAt.localeCompare(a.receivedAt))
      .slice(0, newestShown)
      .map(({ id, receivedAt, account }) => ({ id, receivedAt, account })),
  }));
  return { reasons: reasons.sort((a, b) => b.count - a.count), isAtLeast };
};

const messageOf = (reason: string): string => {
  const [, response] = Object.entries(rejectionResponses).find(([name]) => name === reason) ?? [];
  return response?.message ?? 'Another version of Callfeed knows this reason.';
};

export const readQuarantined = async ({ deployment, isPersonal }: ConsoleSettings, id: string) => {
  if (!isPersonal) throw new Problem('A body may name people. Start the console with --personal to see it.', 2);
  const found = await getEntry(deployment, id);
  if (found === undefined) throw new Problem('Nothing in quarantine has this id. It may have been redriven.', 2);
  return { id, body: bodyOf(found.entry) };
};

export type QuarantinedAnswer = Awaited<ReturnType<typeof readQuarantined>>;
