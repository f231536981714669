import { describe, expect, it } from 'vitest';
import { dollarFigure, figure } from '../../../bench/costs/figures.ts';
import { markdownTable, plainTable } from '../../../bench/costs/table.ts';

const table = {
  head: ['Work', 'Units'],
  rows: [
    ['call', '5'],
    ['participant', '1,000'],
  ],
};

describe('a table', () => {
  it('has aligned columns on a terminal', () => {
    expect(plainTable(table).split('\n')).toEqual([
      'Work         Units',
      '-----------  -----',
      'call             5',
      'participant  1,000',
    ]);
  });

  it('has figures on the right in Markdown', () => {
    expect(markdownTable(table).split('\n')).toEqual([
      '| Work | Units |',
      '|---|---:|',
      '| call | 5 |',
      '| participant | 1,000 |',
    ]);
  });

  it.each([
    [1_234.56, '1,234.6', '1,235'],
    [0, '0', '0.00'],
    [99.994, '100', '99.99'],
  ])('shows %d as %s, and as dollars %s', (value, plain, dollars) => {
    expect([figure(value), dollarFigure(value)]).toEqual([plain, dollars]);
  });
});
