import { assumed } from './assumed.ts';
import { monthTable } from './month-table.ts';
import { priceTable } from './price-table.ts';
import type { Report } from './report.ts';
import { markdownTable, plainTable, type Table } from './table.ts';
import { workTable } from './work-table.ts';

const aboutWork = 'What one piece of work takes; the dollars are without storage and traces:';
const aboutMonths = 'What a month costs, in dollars:';
const aboutAssumptions = 'This stands on what was counted, and on the following:';

const listOf = (sentences: readonly string[]): string => sentences.map((sentence) => `- ${sentence}`).join('\n');

const partsOf = (report: Report, written: (table: Table) => string): readonly string[] => [
  aboutWork,
  written(workTable(report)),
  aboutMonths,
  written(monthTable(report)),
  aboutAssumptions,
  listOf(assumed(report)),
];

/** The part of docs/cost.md that is made here. */
export const markdownReport = (report: Report): string => partsOf(report, markdownTable).join('\n\n');

/** The same for a terminal, and the prices. */
export const plainReport = (report: Report): string =>
  [...partsOf(report, plainTable), 'Prices:', plainTable(priceTable())].join('\n\n');
