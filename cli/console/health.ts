import { rejectionResponses } from '../../lib/callback/reply.ts';
import { bodyOf, isUnknownSender } from '../../lib/callback/store-or-park.ts';
import { once } from '../../lib/core/collections.ts';
import { deadLettersPart, parkedPart } from '../dead-letters/parked-status.ts';
import { type HealthText, lately } from '../frame/feature.ts';
import { knownValue, Problem, settled } from '../frame/problem.ts';
import { callbackReceipts } from '../frame/reader.ts';
import { getEntry, isHarmless, type StoredEntry, scanEntries } from '../quarantine/quarantine-entries.ts';
import { callIn } from '../quarantine/redrive-quarantined.ts';
import { reconciliationStatus } from '../reconciliation/reconciliation.ts';
import { type AccountCallbacks, callbacksOf, laterCallbacks } from '../status/account-callbacks.ts';
import { type ConsoleSettings, rejectIfHidden, type ShownAccount } from './accounts.ts';
import { feedAnswer } from './floor.ts';

const dayMs = 86_400_000;

export const readHealth = async ({ client, clock }: ShownAccount) => {
  const now = clock();
  const [feed, changes] = await Promise.all([
    client.feed(),
    client.feedChanges({ from: new Date(now.getTime() - dayMs) }),
  ]);
  return { ...feedAnswer(feed, now), feed: feed.feed, changes, next: lately };
};

/** A card of Health: what operators look after. Each is read with a right of its own, so each can be unknown on its own. */
interface Card {
  readonly title: string;
  readonly read: () => Promise<HealthText & { readonly reasons?: readonly ReturnType<typeof reasonOf>[] }>;
}

export const operationsReader =
  ({ features = [] }: Pick<ConsoleSettings, 'features'>) =>
  async (account: ShownAccount) => {
    const { clock, deployment } = account;
    const now = clock();
    const callbacks = once(() => callbacksNow(account, now));
    const queues = [parkedPart(deployment), deadLettersPart(deployment)].map(({ title, read }) => ({
      title,
      read: once(read),
    }));
    // Without the right to the queues nothing is known of them, and their cards say so.
    const stuck = async () =>
      (await Promise.all(queues.map(({ read }) => settled(read())))).reduce(
        (sum, one) => sum + (knownValue(one)?.count ?? 0),
        0,
      );
    const cards: readonly Card[] = [
      { title: 'Callbacks', read: async () => callbacksText(await callbacks(), await stuck()) },
      { title: 'Publishing', read: async () => publishingText(await callbacks()) },
      { title: 'Quarantine', read: () => quarantineText(deployment) },
      ...[...queues, ...features.flatMap(({ status }) => status?.(deployment) ?? [])].map(cardOf),
      {
        title: 'Reconciliation',
        read: async () => (await reconciliationStatus(deployment, account.account, clock)).health,
      },
    ];
    return {
      cards: await Promise.all(
        cards.map(async ({ title, read }) => {
          const text = await settled(read());
          return { title, ...('value' in text ? text.value : { verdict: 'unknown' as const, lines: [text.unknown] }) };
        }),
      ),
      now: clock().toISOString(),
    };
  };

interface Part {
  readonly title: string;
  readonly read: () => Promise<{ readonly health: HealthText }>;
}

const cardOf = ({ title, read }: Part): Card => ({ title, read: async () => (await read()).health });

const callbacksNow = async ({ deployment, account, client }: ShownAccount, now: Date) => {
  const [{ feed }, receipts] = await Promise.all([client.feed(), callbackReceipts(deployment, account)]);
  return callbacksOf(feed, receipts, now);
};

const callbacksText = (callbacks: AccountCallbacks, stuck: number): HealthText => {
  const { lastReceivedAt, silentSince } = callbacks;
  const later = laterCallbacks(callbacks, stuck);
  const isUnknown = lastReceivedAt === undefined || later.length > 0;
  return {
    verdict: silentSince !== undefined ? 'bad' : isUnknown ? 'unknown' : 'good',
    ...(silentSince !== undefined && { command: ['quarantine', 'list', '--since', silentSince] }),
    lines: [
      ...(silentSince === undefined
        ? []
        : [
            ['No callback is known for the calls that agents have ended since', silentSince] as const,
            'Check the callback address at the telephony service first.',
          ]),
      lastReceivedAt === undefined ? 'None is known yet.' : ['The latest that is known came at', lastReceivedAt],
      ...later,
    ],
  };
};

const publishingText = ({ heldUpAt, lastReceivedAt }: AccountCallbacks): HealthText => {
  const more =
    'It is over if that does not advance for three minutes. Either the bus rejects events, or the publisher is behind. They are kept, ' +
    'and published later.';
  if (heldUpAt !== undefined)
    return { verdict: 'bad', lines: [['Events are held up, last seen at', heldUpAt], more], command: lately };
  return lastReceivedAt === undefined
    ? { verdict: 'unknown', lines: ['No call had an event yet.'] }
    : { verdict: 'good', lines: ['Nothing holds up the events of calls.'] };
};

const maxPages = 2;
const newestShown = 5;

/** Counts up to 2 MB of quarantine by reason: enough to say what is wrong, and little to pay for on each look. */
const quarantineText = async (deployment: ConsoleSettings['deployment']) => {
  const entries: StoredEntry[] = [];
  let pages = 0;
  let isAtLeast = false;
  const onRead = (_rows: number, isWhole: boolean): void => {
    isAtLeast = !isWhole;
  };
  for await (const page of scanEntries(deployment, { isDismissed: false }, onRead)) {
    entries.push(...page.filter(({ entry }) => !isUnknownSender(entry)));
    pages += 1;
    if (pages === maxPages) break;
  }
  const reasons = [...Map.groupBy(entries, ({ entry }) => entry.reason)].map(reasonOf);
  const isBad = reasons.some(({ isHarmless }) => !isHarmless);
  return {
    verdict: isBad ? 'bad' : isAtLeast ? 'unknown' : 'good',
    lines: isAtLeast
      ? ['Counted are the first 2 MB; there is more.']
      : reasons.length === 0
        ? ['Every post was understood.']
        : [],
    // What somebody has to mend comes first, however much of the rest there is.
    reasons: reasons.sort((a, b) => Number(a.isHarmless) - Number(b.isHarmless) || b.count - a.count),
  } as const;
};

const reasonOf = ([reason, entries]: readonly [string, readonly StoredEntry[]]) => {
  const calls = entries.map(({ entry }) => ({ entry, call: callIn(entry) }));
  return {
    reason,
    message: messageOf(reason),
    count: entries.length,
    isHarmless: calls.every(({ entry, call }) => isHarmless(entry, call)),
    redrivable: calls.filter(({ call }) => call === 'found').length,
    newest: entries
      .map(({ id, entry: { receivedAt, account } }) => ({ id, receivedAt, account }))
      .sort((a, b) => b.receivedAt.localeCompare(a.receivedAt))
      .slice(0, newestShown),
  };
};

const messageOf = (reason: string): string => {
  const [, response] = Object.entries(rejectionResponses).find(([name]) => name === reason) ?? [];
  return response?.message ?? 'Another version of Callfeed knows this reason.';
};

export const readQuarantined = async (settings: ConsoleSettings, id: string) => {
  rejectIfHidden(settings);
  const found = await getEntry(settings.deployment, id);
  if (found === undefined) throw new Problem('Nothing in quarantine has this id. It may have been redriven.', 2);
  return { id, body: bodyOf(found.entry) };
};
