import { isHeldUp, isSilent } from '../../lib/agents/callback-receipts.ts';
import { rejectionResponses } from '../../lib/callback/reply.ts';
import { bodyOf, isUnknownSender } from '../../lib/callback/store-or-park.ts';
import { queueDepth } from '../dead-letters.ts';
import type { HealthPart, HealthText } from '../feature.ts';
import { features } from '../features.ts';
import { callIn } from '../operate/redrive-quarantined.ts';
import { counted } from '../output/report.ts';
import { known, Problem } from '../problem.ts';
import { getEntry, isHarmless, type StoredEntry, scanEntries } from '../quarantine-entries.ts';
import { callbackReceipts } from '../reader.ts';
import { type ConsoleSettings, rejectIfHidden, type ShownAccount } from './accounts.ts';
import { feedAnswer } from './floor.ts';

const dayMs = 86_400_000;

export const readHealth = async ({ client, clock }: ShownAccount) => {
  const now = clock();
  const [feed, changes] = await Promise.all([
    client.feed(),
    client.feedChanges({ from: new Date(now.getTime() - dayMs) }),
  ]);
  return { ...feedAnswer(feed, now), feed: feed.feed, changes };
};

/** A card of Health: what operators look after. Each is read with a right of its own, so each can be unknown on its own. */
type Card = HealthText & { readonly title: string; readonly reasons?: readonly ReturnType<typeof reasonOf>[] };

export const readOperations = async (account: ShownAccount) => {
  const { clock, deployment } = account;
  const { bus, queues } = deployment;
  const now = clock();
  const callbacks = callbacksOf(account, now);
  const cards: readonly HealthPart<Omit<Card, 'title'>>[] = [
    { title: 'Callbacks', read: async () => callbacksText(await callbacks) },
    { title: 'Publishing', read: async () => publishingText(await callbacks) },
    { title: 'Quarantine', read: () => quarantineText(deployment) },
    { title: 'Parked', read: async () => parkedText(await queueDepth(deployment, queues.parking), bus.kind) },
    { title: 'Dead letters', read: async () => deadLettersText(await queueDepth(deployment, queues.deadLetters)) },
    ...features.flatMap(({ health }) => health?.(deployment, account.account, now) ?? []),
  ];
  return {
    cards: await Promise.all(
      cards.map(async ({ title, read }): Promise<Card> => {
        const text = await known(read());
        return { title, ...('value' in text ? text.value : { verdict: 'unknown', lines: [text.unknown] }) };
      }),
    ),
    now: clock().toISOString(),
  };
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

type Callbacks = Awaited<ReturnType<typeof callbacksOf>>;

const callbacksText = ({ lastReceivedAt, silentSince, heldUpAt }: Callbacks): HealthText => {
  const isUnknown = lastReceivedAt === undefined || heldUpAt !== undefined;
  return {
    verdict: silentSince !== undefined ? 'bad' : isUnknown ? 'unknown' : 'good',
    lines: [
      ...(silentSince === undefined
        ? []
        : [
            ['No callback has come for the calls that agents have ended since', silentSince] as const,
            'Check the callback address at the telephony service first.',
          ]),
      lastReceivedAt === undefined ? 'None is known yet.' : ['The latest that is known came at', lastReceivedAt],
      ...(heldUpAt === undefined ? [] : ['Later ones are not seen before their events are published.']),
    ],
  };
};

const good = (line: string): HealthText => ({ verdict: 'good', lines: [line] });

const publishingText = ({ heldUpAt, lastReceivedAt }: Callbacks): HealthText => {
  const more = 'Mostly the bus does not accept them. They are kept, and published once it does.';
  if (heldUpAt !== undefined) return { verdict: 'bad', lines: [['Events are held up, last seen at', heldUpAt], more] };
  return lastReceivedAt === undefined
    ? { verdict: 'unknown', lines: ['No call had an event yet.'] }
    : good('Nothing holds up the events of calls.');
};

const parkedText = (count: number, bus: 'sandbox' | 'event-bridge'): HealthText => {
  if (count === 0) return good('Every call is in its table.');
  const again = bus === 'sandbox' ? 'every few seconds' : 'every six minutes for a day';
  const line = `About ${counted(count, 'message')} wait until the table takes them; they are tried again ${again}.`;
  return { verdict: 'bad', lines: [line] };
};

const deadLettersText = (count: number): HealthText => {
  if (count === 0) return good('None.');
  const line = `About ${counted(count, 'message')} could not be stored for a day. Once the cause is mended, move them back:`;
  return { verdict: 'bad', lines: [line], command: ['dead-letters', 'redrive', 'parked'] };
};

const [maxPages, newestShown] = [2, 5];

/** Counts up to 2 MB of quarantine by reason: enough to say what is wrong, and little to pay for on each look. */
const quarantineText = async (deployment: ConsoleSettings['deployment']) => {
  const entries: StoredEntry[] = [];
  let [pages, isAtLeast] = [0, false];
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
