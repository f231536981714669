import { describe, expect, it } from 'vitest';
import { type Start, slowStarts, startTable } from '../../../bench/start/start-table.ts';

const rounds = (...ready: readonly number[]) =>
  ready.map((readyMs) => ({ readyMs, replyMs: readyMs + 50, rssBytes: 70_000_000 }));

/** The receiver, and beside it its clients; of each round both are slow or quick together. */
const starts = (...ready: readonly number[]): readonly Start[] => [
  { name: 'receive-callback', bytes: 329_400, bare: 'clients', rounds: rounds(...ready) },
  { name: 'clients', bytes: 239_000, bare: undefined, rounds: rounds(100, 200, 300) },
];

describe('the table of starts', () => {
  it('holds each round against the same round of the clients alone', () => {
    expect(startTable(starts(110, 230, 330)).rows).toEqual([
      ['receive-callback', '329', '230.0', '110.0 to 330.0', '1.10', '280.0', '70'],
      ['clients', '239', '200.0', '100.0 to 300.0', '', '250.0', '70'],
    ]);
  });
});

describe('the bar of the start', () => {
  it.each([
    [[110, 230, 330], []],
    [[115, 230, 345], []],
    [[120, 240, 360], ['receive-callback is ready after 1.20 x its bare AWS clients; the bar is 1.15 x.']],
  ])('after %j ms against 100, 200 and 300: %j', (ready, missed) => {
    expect(slowStarts(starts(...ready))).toEqual(missed);
  });

  it('is missed where nothing was measured', () => {
    expect(slowStarts(starts())).toHaveLength(1);
  });

  it('is for the receiver, for which somebody waits', () => {
    expect(slowStarts(starts(300, 600, 900).map((start) => ({ ...start, name: `not ${start.name}` })))).toEqual([]);
  });
});
