import { parkedIn } from '../../lib/callback/schema.ts';
import { isUnknownSender } from '../../lib/callback/store-or-park.ts';
import { partitionKey, recordedInTime } from '../../lib/calls/call-keys.ts';
import { maxLetters, queueDepth, readLetters } from '../dead-letters/sqs-letters.ts';
import { commandLine, type Deployment, type DeploymentLocation } from '../frame/deployment.ts';
import { counted } from '../frame/report.ts';
import type { CallName } from '../frame/rows.ts';
import { harmlessReason, isHarmless, scanEntries } from '../quarantine/quarantine-entries.ts';
import { callIn } from '../quarantine/redrive-quarantined.ts';
import { type Gap, gapOf, isWithin, maxIds, type PartFindings, type VerifiedRange } from './gaps.ts';

/** Whose calls are looked for, and of when. */
export interface VerifiedPart {
  readonly deployment: Deployment;
  readonly location: DeploymentLocation;
  readonly accounts: readonly string[];
  readonly range: VerifiedRange;
}

/** Whether a post may be about a call of the range: it may come that much later than the call. */
const mayBeOf = ({ from, to }: VerifiedRange, receivedAt: string): boolean =>
  isWithin(receivedAt, { from, to: new Date(Date.parse(to) + recordedInTime.afterMs).toISOString() });

interface Parked {
  readonly waiting: number;
  readonly calls: readonly CallName[];
  readonly unreadable: number;
  readonly isCut: boolean;
}

export const findParked = async (
  { deployment, location, accounts, range }: VerifiedPart,
  onProgress: (count: number) => void,
): Promise<PartFindings> => {
  // Reading them would count as one of their tries.
  const waiting = await queueDepth(deployment, deployment.queues.parking);
  const letters = await readLetters(deployment.sqs, deployment.queues.deadLetters, maxLetters, onProgress);

  const calls = new Map<string, CallName>();
  // They may be of any call.
  let unreadable = 0;
  for (const { body } of letters) {
    const parked = parkedIn(body);
    if (parked?.kind !== 'delivery') {
      unreadable += Number(parked === undefined || mayBeOf(range, parked.entry.receivedAt));
      continue;
    }
    const { key, delivery } = parked;
    const times = [delivery.receivedAt, delivery.facts['startedAt'] ?? delivery.facts['endedAt']].map(String);
    if (accounts.includes(key.account) && times.some((at) => isWithin(at, range)))
      calls.set(partitionKey(key.account, key.callId), { account: key.account, callId: key.callId });
  }
  const found = { waiting, calls: [...calls.values()], unreadable, isCut: letters.length >= maxLetters };
  return { json: found, gaps: parkedGaps(found, location) };
};

export const parkedGaps = (
  { waiting, calls, unreadable, isCut }: Parked,
  location: DeploymentLocation,
): readonly Gap[] => [
  ...gapOf(calls.length, {
    what: `${counted(calls.length, 'call')} among the dead letters`,
    ids: calls.map(({ callId }) => callId),
    remedy: commandLine(location, 'dead-letters', 'redrive', 'parked'),
  }),
  ...gapOf(unreadable, {
    what: `${counted(unreadable, 'dead letter')} without a call id`,
    remedy: commandLine(location, 'dead-letters', 'list', 'parked'),
  }),
  ...gapOf(Number(isCut), {
    what: `only ${maxLetters} dead letters were read, and there may be more`,
    remedy: commandLine(location, 'dead-letters', 'redrive', 'parked'),
  }),
  ...gapOf(waiting, {
    what: `about ${counted(waiting, 'parked message')} that recovery still tries to store, perhaps of this range`,
    remedy: { again: {}, when: 'when “callfeed status” shows none' },
  }),
];

interface QuarantinedFinding {
  readonly id: string;
  readonly reason: string;
  readonly canBeRedriven: boolean;
}

export const findQuarantined = async (
  { deployment, location, accounts, range }: VerifiedPart,
  onProgress: (rows: number) => void,
): Promise<PartFindings> => {
  const entries: QuarantinedFinding[] = [];
  let harmless = 0;
  for await (const page of scanEntries(deployment, { since: range.from, isDismissed: false }, onProgress))
    for (const { id, entry } of page) {
      const { account, reason, receivedAt } = entry;
      const isOther = account !== undefined && !accounts.includes(account);
      if (isOther || isUnknownSender(entry) || !mayBeOf(range, receivedAt)) continue;
      if (isHarmless(entry)) harmless += 1;
      else entries.push({ id, reason, canBeRedriven: callIn(entry) === 'found' });
    }
  return { json: { entries, harmless }, gaps: quarantineGaps(entries, location), note: harmlessNote(harmless) };
};

const harmlessNote = (count: number): string | undefined =>
  count === 0
    ? undefined
    : `Also in quarantine, and not counted as missing: ${counted(count, 'post')} that are no call summaries (${harmlessReason} in “callfeed quarantine list”).`;

/** What quarantine leaves unproven: what can be redriven, what needs its key first, and what no redrive can read. */
export const quarantineGaps = (
  entries: readonly QuarantinedFinding[],
  location: DeploymentLocation,
): readonly Gap[] => {
  const byMending = Object.groupBy(entries, ({ canBeRedriven, reason }) => {
    if (!canBeRedriven) return 'others';
    return reason === 'unknown-key' ? 'keyless' : 'ready';
  });
  const { ready = [], keyless = [], others = [] } = byMending;
  const command = (verb: string, some: readonly QuarantinedFinding[], ...more: readonly string[]) =>
    commandLine(location, 'quarantine', verb, ...some.slice(0, maxIds).map(({ id }) => id), ...more);
  const dismiss = (some: readonly QuarantinedFinding[]) => command('dismiss', some, '--because', '…');
  return [
    ...quarantineGap(ready, command('redrive', ready), `What it leaves: ${dismiss(ready)}`),
    ...quarantineGap(keyless, `put the key into the accounts’ secret, then: ${command('redrive', keyless)}`),
    ...quarantineGap(others, `no redrive can read it: have it posted again, or settle it: ${dismiss(others)}`),
  ];
};

const quarantineGap = (some: readonly QuarantinedFinding[], remedy: string, more?: string): readonly Gap[] => {
  const reasons = [...new Set(some.map(({ reason }) => reason))].sort().join(', ');
  const what = `${counted(some.length, 'quarantined post or record', 'quarantined posts and records')} (${reasons})`;
  return gapOf(some.length, { what, ids: some.map(({ id }) => id), remedy, ...(more !== undefined && { more }) });
};
