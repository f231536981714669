import { describe, expect, it } from 'vitest';
import { durationText } from '../../../cli/output/duration-text.ts';
import { factLines } from '../../../cli/output/fact-lines.ts';
import { readLine } from '../../../cli/output/read-line.ts';

describe('a length of time', () => {
  it.each([
    [0, '0s'],
    [59.9, '59s'],
    [60, '1m 00s'],
    [3599, '59m 59s'],
    [3600, '1h 00m 00s'],
    [90_061, '25h 01m 01s'],
    [-5, '0s'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

describe('facts', () => {
  it('are lines, in which nothing is obeyed', () => {
    expect(
      factLines({ id: '1', gone: undefined, names: ['a', 'b'], notes: [{ field: 'x' }], odd: 'a\u001B[2J' }),
    ).toEqual(['  id     1', '  names  a, b', '  notes  {"field":"x"}', '  odd    a\\u001b[2J']);
  });
});

describe('a request', () => {
  it('is told with what it took', () => {
    const read = { operation: 'Query', table: 'agents', index: 'byState', rows: 1, units: 0.5 } as const;

    expect(readLine(read)).toBe('Query on agents, index byState: 1 row, 0.5 read units');
    expect(readLine({ ...read, index: undefined, rows: 2 })).toBe('Query on agents: 2 rows, 0.5 read units');
  });
});
