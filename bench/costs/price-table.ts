import { figure } from './figures.ts';
import { prices } from './prices.ts';
import type { Table } from './table.ts';

/** The prices, and the pages that they stand on. */
export const priceTable = (): Table => ({
  head: ['Price of', '$', 'for', 'unit', 'AWS page', 'found again'],
  rows: Object.values(prices).map(({ service, dollars, per, unit, page, checked }) => [
    service,
    String(dollars),
    figure(per),
    unit,
    page,
    checked ? 'yes' : 'unchecked',
  ]),
});
