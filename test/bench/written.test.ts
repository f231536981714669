import { describe, expect, it } from 'vitest';
import { type Run, written } from '../../bench/written.ts';

const run: Run = {
  machine: { cpu: 'Some processor', cores: 2, node: '24.0.0', platform: 'linux x64' },
  repetitions: 3,
  ran: [
    {
      name: 'start',
      seconds: 1,
      report: {
        tables: [{ title: 'Starts', table: { head: ['Bundle', 'ready'], rows: [['ours', '1.0']] } }],
        data: [{ readyMs: 1 }],
        failures: ['ours is late.'],
      },
    },
    { name: 'work', seconds: 2, report: { tables: [], data: [], failures: [] } },
  ],
};
const machine = 'Some processor, 2 cores, Node 24.0.0, linux x64; 3 repetitions.';

describe('what was measured, written', () => {
  it('is tables for a terminal, with the machine before and what was missed after them', () => {
    expect(written.plain(run)).toBe(
      [
        machine,
        '',
        'Starts:',
        '',
        'Bundle  ready',
        '------  -----',
        'ours      1.0',
        '',
        '',
        '',
        'Missed, start: ours is late.',
      ].join('\n'),
    );
  });

  it('is tables for the documentation', () => {
    expect(written.markdown(run)).toContain(
      [machine, '', '### start', '', 'Starts:', '', '| Bundle | ready |', '|---|---:|', '| ours | 1.0 |'].join('\n'),
    );
  });

  it('is everything for programs', () => {
    expect(JSON.parse(written.json(run))).toEqual(run);
  });
});
