import { assumed } from './assumed.ts';
import { monthTable } from './month-table.ts';
import { priceTable } from './price-table.ts';
import type { Report } from './report.ts';
import { markdownTable, plainTable } from './table.ts';
import { workTable } from './work-table.ts';

const aboutWork = 'What one piece of work takes; the dollars are without storage and traces:';
const aboutMonths = 'What a month costs, in dollars:';
const aboutAssumptions = 'This stands on what was counted, and on the following:';

const listOf = (sentences: readonly string[]): string => sentences.map((sentence) => `- ${sentence}`).join('\n');

/** The part of docs/cost.md that is made here. */
export const markdownReport = (report: Report): string =>
  [
    aboutWork,
    markdownTable(workTable(report)),
    aboutMonths,
    markdownTable(monthTable(report)),
    aboutAssumptions,
    listOf(assumed(report)),
  ].join('\n\n');

/** The same for a terminal, and the prices. */
export const plainReport = (report: Report): string =>
  [
    aboutWork,
    plainTable(workTable(report)),
    aboutMonths,
    plainTable(monthTable(report)),
    aboutAssumptions,
    listOf(assumed(report)),
    'Prices:',
    plainTable(priceTable()),
  ].join('\n\n');
