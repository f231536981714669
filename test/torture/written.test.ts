import { describe, expect, it } from 'vitest';
import type { PartReport } from '../../torture/part.ts';
import { type Run, written } from '../../torture/written.ts';

const held: PartReport = {
  figures: [
    { what: 'runs', value: 12_345 },
    { what: 'longest reply', value: 12.3456, unit: 'ms' },
  ],
  failures: [],
};

const runOf = (report: PartReport): Run => ({
  seed: 7,
  size: 'full',
  ran: [{ name: 'crash', what: 'cuts the process', seconds: 61.4, report }],
});

describe('what was found, written', () => {
  it('is a table for people, with figures and units', () => {
    const lines = written.plain(runOf(held)).split('\n');
    expect(lines.find((line) => line.includes('runs'))).toContain('12,345');
    expect(lines.find((line) => line.includes('longest reply'))).toContain('12.346 ms');
    expect(lines.find((line) => line.includes('duration'))).toContain('61 s');
    expect(lines.join('\n')).toContain('held');
  });

  it('is a table for the documentation', () => {
    expect(written.markdown(runOf(held))).toBe(
      [
        '### crash: cuts the process',
        '',
        '| | |',
        '|---|--:|',
        '| runs | 12,345 |',
        '| longest reply | 12.346 ms |',
        '| duration | 61 s |',
        '| guarantees | held |',
      ].join('\n'),
    );
  });

  it.each(['plain', 'markdown'] as const)('ends, as %s, with what broke', (format) => {
    const text = written[format](runOf({ ...held, failures: ['one thing', 'another'] }));
    expect(text).toContain('broken: 2');
    expect(text.endsWith('crash: one thing\n\ncrash: another')).toBe(true);
  });

  it('is everything as JSON', () => {
    const run = runOf({ ...held, failures: ['one thing'] });
    expect(JSON.parse(written.json(run))).toEqual(run);
  });
});
