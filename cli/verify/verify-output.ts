import { printRows as printTable } from '../frame/table.ts';
import type { Terminal } from '../frame/terminal.ts';
import { counted } from '../frame/texts.ts';
import { reportVerdict } from './call-report.ts';
import { type Gap, type PartFindings, type PrintedGap, printGaps } from './gaps.ts';
import type { Findings } from './inspect.ts';

/** What the service's call report said about one account. */
interface Compared extends PartFindings {
  readonly name: string;
  readonly account: string;
  readonly isRead: boolean;
}

const columns = { account: 'ACCOUNT', from: 'FROM', to: 'TO', calls: 'CALLS', revisions: 'REVISIONS' };

export const printFindings = (terminal: Terminal, findings: Findings, gaps: readonly PrintedGap[]): void => {
  const { accounts, events, parts } = findings;
  const rows = accounts.map(({ account, range, calls, revisions }) => ({ account, ...range, calls, revisions }));
  printTable(terminal, false, columns, rows);
  printGaps(terminal, gaps);
  const skipped = events?.otherLines ?? 0;
  if (skipped > 0) terminal.note(`${counted(skipped, 'line')} had no event and were skipped.`);
  for (const { note } of [...accounts.flatMap((account) => account.parts), ...parts])
    if (note !== undefined) terminal.note(note);
};

export const verdictOf = ({ accounts }: Findings, compared: readonly Compared[], gaps: readonly Gap[]): string => {
  if (gaps.length > 0) return `Not proven: ${gaps.map(({ what }) => what).join('; ')}.`;
  const sum = (of: 'calls' | 'revisions') => accounts.reduce((total, one) => total + (one[of] ?? 0), 0);
  const unread = compared.filter(({ isRead }) => !isRead).map(({ account }) => account);
  return `Proven: ${counted(sum('calls'), 'call')} with ${counted(sum('revisions'), 'revision')}, and each has its event; none is parked, dead-lettered or quarantined${reportVerdict(unread, accounts.length === 1)}.`;
};

export const jsonOf = (findings: Findings, compared: readonly Compared[], gaps: readonly PrintedGap[]) => {
  const { accounts, range, events, unpublished } = findings;
  return {
    proven: gaps.length === 0,
    ...range,
    accounts: accounts.map(({ account, range: { from, to }, rows, calls, revisions, unreadable, parts }) => ({
      account,
      from,
      to,
      calls,
      rows: rows?.length,
      revisions,
      unreadable,
      ...jsonByName([...parts, ...compared.filter((one) => one.account === account)]),
    })),
    events: events && { read: events.events, otherLines: events.otherLines },
    unpublished: unpublished.map(({ row, revisions }) => ({ ...row, unpublished: revisions })),
    ...jsonByName(findings.parts),
    gaps,
  };
};

const jsonByName = (parts: readonly (Pick<PartFindings, 'json'> & { readonly name: string })[]) =>
  Object.fromEntries(parts.map(({ name, json }) => [name, json]));
