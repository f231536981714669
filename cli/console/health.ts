import { isHeldUp, isSilent } from '../../lib/agents/callback-receipts.ts';
import { rejectionResponses } from '../../lib/callback/reply.ts';
import { bodyOf, isUnknownSender } from '../../lib/callback/store-or-park.ts';
import type { FeedChange, Freshness } from '../../lib/client/index.ts';
import { reconciliationState } from '../commands/reconciliation/follow-run.ts';
import { areCallbacksMissing, reconciliationRow } from '../commands/reconciliation/reconciliation.ts';
import { type Backlog, backlogOf, queueDepth } from '../dead-letters.ts';
import { callIn } from '../operate/redrive-quarantined.ts';
import { type Known, known, Problem } from '../problem.ts';
import { getEntry, isHarmless, scanEntries } from '../quarantine-entries.ts';
import { callbackReceipts } from '../reader.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { type FeedAnswer, feedAnswer } from './floor.ts';
import { simulatedRequests } from './sandbox.ts';

type Settings = Pick<ConsoleSettings, 'clock' | 'deployment'>;

/** How an account's feed stands: two requests. */
export interface HealthAnswer extends FeedAnswer {
  readonly feed: Freshness['feed'];
  /** The interruptions of the last day and their ends, oldest first. */
  readonly changes: readonly FeedChange[];
  /** What the simulated service counted; a deployment keeps no such counts in its tables. */
  readonly requests: Awaited<ReturnType<typeof simulatedRequests>> | undefined;
}

const dayMs = 86_400_000;

export const readHealth = async (
  { clock, deployment: { bus } }: Settings,
  { client, account }: ShownAccount,
): Promise<HealthAnswer> => {
  const now = clock();
  const [feed, changes] = await Promise.all([
    client.feed(),
    client.feedChanges({ from: new Date(now.getTime() - dayMs) }),
  ]);
  const requests = bus.kind === 'sandbox' ? await simulatedRequests(bus.name, account) : undefined;
  return { ...feedAnswer(feed, now), feed: feed.feed, changes, requests };
};

/** What operators look after. Each part is read with a right of its own, so each can be unknown on its own. */
export interface OperationsAnswer {
  readonly now: string;
  readonly quarantine: Known<QuarantineShown>;
  readonly parked: Known<number>;
  readonly deadLetters: Known<number>;
  /** Absent where nothing is forwarded. */
  readonly forwarding?: Known<Backlog> | undefined;
  readonly reconciliation: Known<ReconciliationShown | undefined>;
  readonly callbacks: Known<CallbacksShown>;
}

export const readOperations = async (
  { clock, deployment }: Settings,
  account: ShownAccount,
): Promise<OperationsAnswer> => {
  const { queues } = deployment;
  const now = clock();
  const [quarantine, parked, deadLetters, forwarding, reconciliation, callbacks] = await Promise.all([
    known(quarantineByReason(deployment)),
    known(queueDepth(deployment, queues.parking)),
    known(queueDepth(deployment, queues.deadLetters)),
    queues.forwarding && known(backlogOf(deployment, queues.forwarding)),
    known(reconciliationOf(account, now)),
    known(callbacksOf(account, now)),
  ]);
  return { now: now.toISOString(), quarantine, parked, deadLetters, forwarding, reconciliation, callbacks };
};

export interface ReconciliationShown extends ReturnType<typeof reconciliationRow> {
  readonly areCallbacksMissing: boolean;
}

/** Undefined where it is switched off. */
const reconciliationOf = async (
  { deployment, account }: ShownAccount,
  now: Date,
): Promise<ReconciliationShown | undefined> => {
  if (deployment.queues.reconciliation === undefined) return undefined;
  const state = await reconciliationState(deployment, account);
  return { ...reconciliationRow(state, now), areCallbacksMissing: areCallbacksMissing(state) };
};

/** Whether callbacks come and their events are published (ISO instants). */
export interface CallbacksShown {
  readonly lastReceivedAt?: string | undefined;
  /** Since when agents have ended calls for which no callback came. */
  readonly silentSince?: string | undefined;
  /** When events were last seen to be held up, if that is so. */
  readonly heldUpAt?: string | undefined;
}

const callbacksOf = async ({ deployment, account, client }: ShownAccount, now: Date): Promise<CallbacksShown> => {
  const [{ feed }, receipts] = await Promise.all([client.feed(), callbackReceipts(deployment, account)]);
  const { callbacksSilentSince } = feed ?? {};
  return {
    lastReceivedAt: receipts.lastReceivedAt,
    ...(isSilent(callbacksSilentSince, receipts) && { silentSince: callbacksSilentSince }),
    ...(isHeldUp(receipts, now) && { heldUpAt: receipts.heldUpAt }),
  };
};

/** What is in quarantine for one reason, newest first. */
export interface QuarantineReason {
  readonly reason: string;
  readonly message: string;
  /** Nobody has to do anything about these. */
  readonly isHarmless: boolean;
  readonly count: number;
  /** How many of them a redrive can read. */
  readonly redrivable: number;
  readonly newest: readonly {
    readonly id: string;
    readonly receivedAt: string;
    readonly account?: string | undefined;
  }[];
}

export interface QuarantineShown {
  readonly reasons: readonly QuarantineReason[];
  /** Whether there is more, which was not read. */
  readonly isAtLeast: boolean;
}

const [maxPages, newestShown] = [2, 5];

/** Counts up to 2 MB of quarantine by reason: enough to say what is wrong, and little to pay for on each look. */
const quarantineByReason = async (deployment: ConsoleSettings['deployment']): Promise<QuarantineShown> => {
  const found = new Map<string, QuarantineReason>();
  let pages = 0;
  let isAtLeast = false;
  const onRead = (_rows: number, isWhole: boolean): void => {
    isAtLeast = !isWhole;
  };
  for await (const page of scanEntries(deployment, { isDismissed: false }, onRead)) {
    pages += 1;
    for (const { id, entry } of page) {
      if (isUnknownSender(entry)) continue;
      const { reason, receivedAt, account } = entry;
      const { count = 0, redrivable = 0, newest = [], isHarmless: areHarmless = true } = found.get(reason) ?? {};
      const call = callIn(entry);
      found.set(reason, {
        reason,
        message: messageOf(reason),
        isHarmless: areHarmless && isHarmless(entry, call),
        count: count + 1,
        redrivable: redrivable + Number(call === 'found'),
        newest: [...newest, { id, receivedAt, account }]
          .sort((a, b) => b.receivedAt.localeCompare(a.receivedAt))
          .slice(0, newestShown),
      });
    }
    if (pages === maxPages) break;
  }
  return { reasons: [...found.values()].sort((a, b) => b.count - a.count), isAtLeast };
};

const messageOf = (reason: string): string => {
  const [, response] = Object.entries(rejectionResponses).find(([name]) => name === reason) ?? [];
  return response?.message ?? 'Another version of Callfeed knows this reason.';
};

export interface QuarantinedAnswer {
  readonly id: string;
  readonly body: string;
}

/** Reads one body; only where personal data is shown. */
export const readQuarantined = async (
  { deployment, isPersonal }: Pick<ConsoleSettings, 'deployment' | 'isPersonal'>,
  id: string,
): Promise<QuarantinedAnswer> => {
  if (!isPersonal) throw new Problem('A body may name people. Start the console with --personal to see it.', 2);
  const found = await getEntry(deployment, id);
  if (found === undefined) throw new Problem('Nothing in quarantine has this id. It may have been redriven.', 2);
  return { id, body: bodyOf(found.entry) };
};
