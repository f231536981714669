import { describe, expect, it } from 'vitest';
import { guaranteesReport } from '../../../bench/guarantees/guarantees-report.ts';

const all = {
  name: 'all',
  findings: new Map([
    ['Repeats add nothing', { isKept: true, seen: '1 event' }],
    ['Digits are exact', { isKept: true, seen: 'all' }],
  ]),
};
const one = { name: 'one', findings: new Map([['Repeats add nothing', { isKept: false, seen: '2 events' }]]) };

describe('the report on guarantees', () => {
  it('has a row for each guarantee, a column for each peer, and counts what is kept', () => {
    expect(guaranteesReport([all, one]).tables.map(({ table }) => table)).toEqual([
      {
        head: ['Guarantee', 'all', 'one'],
        rows: [
          ['Repeats add nothing', 'kept: 1 event', 'BROKEN: 2 events'],
          ['Digits are exact', 'kept: all', 'not tried'],
          ['Kept in all', '2 of 2', '0 of 2'],
        ],
      },
    ]);
  });

  it('fails for what the first peer breaks, and for nothing of the others', () => {
    expect(guaranteesReport([all, one]).failures).toEqual([]);
    expect(guaranteesReport([one, all]).failures).toEqual(['one breaks “Repeats add nothing”: 2 events']);
  });

  it('has everything that was seen for programs', () => {
    expect(JSON.parse(JSON.stringify(guaranteesReport([one]).data))).toEqual([
      { name: 'one', findings: { 'Repeats add nothing': { isKept: false, seen: '2 events' } } },
    ]);
  });
});
