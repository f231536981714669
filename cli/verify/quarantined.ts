import { isUnknownSender } from '../../lib/callback/store-or-park.ts';
import { commandLine, type DeploymentLocation } from '../frame/deployment.ts';
import { counted } from '../frame/texts.ts';
import { harmlessReason, isHarmless, scanEntries } from '../quarantine/quarantine-entries.ts';
import { callIn } from '../quarantine/redrive-quarantined.ts';
import { type Gap, gapOf, maxIds, mayBeAboutRange, type PartFindings, type VerifiedPart } from './gaps.ts';

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
      if (isOther || isUnknownSender(entry) || !mayBeAboutRange(range, receivedAt)) continue;
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
  const { redrivable = [], withoutKey = [], unreadable = [] } = Object.groupBy(entries, remedyKind);
  const command = (verb: string, of: readonly QuarantinedFinding[], ...options: readonly string[]) =>
    commandLine(location, 'quarantine', verb, ...of.slice(0, maxIds).map(({ id }) => id), ...options);
  const redrive = (of: readonly QuarantinedFinding[]) => command('redrive', of);
  const dismiss = (of: readonly QuarantinedFinding[]) => command('dismiss', of, '--because', '…');
  return [
    ...quarantineGap(redrivable, redrive(redrivable), `What it leaves: ${dismiss(redrivable)}`),
    ...quarantineGap(withoutKey, `put the key into the accounts’ secret, then: ${redrive(withoutKey)}`),
    ...quarantineGap(unreadable, `no redrive can read it: have it posted again, or settle it: ${dismiss(unreadable)}`),
  ];
};

/** What an entry needs before it is a call: a redrive, its key and then a redrive, or a person. */
const remedyKind = ({ canBeRedriven, reason }: QuarantinedFinding): 'redrivable' | 'withoutKey' | 'unreadable' => {
  if (!canBeRedriven) return 'unreadable';
  return reason === 'unknown-key' ? 'withoutKey' : 'redrivable';
};

const quarantineGap = (entries: readonly QuarantinedFinding[], remedy: string, more?: string): readonly Gap[] => {
  const reasons = [...new Set(entries.map(({ reason }) => reason))].sort().join(', ');
  const what = `${counted(entries.length, 'quarantined post or record', 'quarantined posts and records')} (${reasons})`;
  return gapOf(entries.length, { what, ids: entries.map(({ id }) => id), remedy, more });
};
