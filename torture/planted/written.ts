import Table from 'cli-table3';
import type { PlantedFault } from './planted-fault.ts';
import type { Verdict } from './try-fault.ts';

/** A fault that was planted, and what came of it. */
export type Tried = Pick<PlantedFault, 'what' | 'check'> & Verdict;

const mostShown = 140;

/** As much as tells which guarantee was seen broken, in one line; the whole of it has rows in it. */
const shown = (said: string): string => {
  const line = said.replace(/\s+/g, ' ');
  return line.length <= mostShown ? line : `${line.slice(0, mostShown)} …`;
};

const rowOf = ({ what, check, isCaught, said }: Tried): string[] => [
  what,
  check,
  `${isCaught ? '' : 'NOT FOUND: '}${shown(said)}`,
];

const head = ['planted fault', 'found by', 'what was said'];

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The table for a terminal. */
export const plain = (tried: readonly Tried[]): string => {
  const table = new Table({ head, colWidths: [46, 12, 60], wordWrap: true, style: { head: [], border: [] } });
  table.push(...tried.map(rowOf));
  return table.toString();
};

/** The table for the documentation. */
export const markdown = (tried: readonly Tried[]): string =>
  [head, head.map(() => '---'), ...tried.map(rowOf)].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
