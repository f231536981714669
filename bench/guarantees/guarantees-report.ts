import type { Table } from '../costs/table.ts';
import type { PartReport } from '../part.ts';
import type { Finding } from './guarantee-case.ts';
import type { Findings } from './try-peer.ts';

/** What was seen of each peer, ours first. */
export type Compared = readonly { readonly name: string; readonly findings: Findings }[];

const cellOf = (finding: Finding | undefined): string => {
  if (finding === undefined) return 'not tried';
  return `${finding.isKept ? 'kept' : 'BROKEN'}: ${finding.seen}`;
};

/** A row for each guarantee and a column for each peer; the last row counts those that are kept. */
const guaranteesTable = (compared: Compared): Table => {
  const titles = new Set(compared.flatMap(({ findings }) => [...findings.keys()]));
  const kept = compared.map(({ findings }) => [...findings.values()].filter(({ isKept }) => isKept).length);
  return {
    head: ['Guarantee', ...compared.map(({ name }) => name)],
    rows: [
      ...[...titles].map((title) => [title, ...compared.map(({ findings }) => cellOf(findings.get(title)))]),
      ['Kept in all', ...kept.map((count) => `${count} of ${titles.size}`)],
    ],
  };
};

/** A sentence for each guarantee that a peer breaks. */
export const brokenBy = (name: string, findings: Findings): readonly string[] =>
  [...findings].filter(([, { isKept }]) => !isKept).map(([title, { seen }]) => `${name} breaks “${title}”: ${seen}`);

/** All of it; what the first of them breaks, which is ours, is a bar that was missed. */
export const guaranteesReport = (compared: Compared): PartReport => ({
  tables: [{ title: 'Guarantees, tried with the same faults', table: guaranteesTable(compared) }],
  data: compared.map(({ name, findings }) => ({ name, findings: Object.fromEntries(findings) })),
  failures: compared.slice(0, 1).flatMap(({ name, findings }) => brokenBy(name, findings)),
});
