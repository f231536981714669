import { describe, expect, it } from 'vitest';
import { type Page, pace, type Replay, type ReplayPosition, runReplay } from '../../../cli/replay/replay-pages.ts';
import type { KeyedRow } from '../../../lib/storage/rows.ts';

const at = '2026-11-21T10:00:00.000Z';
const range = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z', types: [] };

const row = (pk: string, about: object = {}): KeyedRow => ({
  pk,
  sk: 'call',
  kind: 'call',
  revision: 1,
  account: 'demo',
  ...about,
});
const pollStatusRow = (pk: string, status: string) => row(pk, { sk: at, kind: 'feed-change', status });
const onCalls = (pk: string): ReplayPosition => ({ table: 'calls', key: { pk, sk: 'call' } });

const twoPages: readonly Page[] = [
  { table: 'calls', rows: [row('a'), row('b')], read: 10, position: onCalls('x') },
  { table: 'calls', rows: [row('c')], read: 5, position: { table: 'agents' } },
];

async function* inTurn<Value>(values: readonly Value[]) {
  yield* values;
}

/** A replay over pages in memory, with what it did. `stopAfter` is how many rows are told before somebody stops it. */
const replayOf = async (pages: readonly Page[], asked: Partial<Replay> = {}, stopAfter = Number.POSITIVE_INFINITY) => {
  const stop = new AbortController();
  if (stopAfter === 0) stop.abort();
  const told: string[] = [];
  const places: ReplayPosition[] = [];
  const progress: unknown[] = [];
  const done = await runReplay({
    pages: inTurn(pages),
    async mark(table, { pk }) {
      if (pk === 'gone') return 'skipped';
      told.push(`${table} ${pk}`);
      if (told.length === stopAfter) stop.abort();
      return 'replayed';
    },
    onProgress: (counts) => progress.push(counts),
    onPosition: (place) => places.push(place),
    range,
    begin: { table: 'calls' },
    signal: stop.signal,
    ...asked,
  });
  return { done, told, places, progress };
};

describe('replay', () => {
  it('marks every row, and reports its position after each page', async () => {
    const { done, told, places, progress } = await replayOf(twoPages);

    expect(told).toEqual(['calls a', 'calls b', 'calls c']);
    expect(done).toEqual({ read: 15, replayed: 3, skipped: 0 });
    expect(places).toEqual([onCalls('x'), { table: 'agents' }]);
    expect(progress.at(-1)).toEqual(done);
    expect(progress).toContainEqual({ read: 0, replayed: 1, skipped: 0 });
  });

  it('counts rows that are gone separately', async () => {
    const rows = [row('a'), row('gone')];
    const { done } = await replayOf([{ table: 'calls', rows, read: 2, position: onCalls('x') }]);

    expect(done).toEqual({ read: 2, replayed: 1, skipped: 1 });
  });

  const all: Page = {
    table: 'agents',
    rows: [
      row('new'),
      row('revised', { revision: 2 }),
      row('participant', { kind: 'participant', revision: 3 }),
      pollStatusRow('down', 'interrupted'),
      pollStatusRow('up', 'live'),
      pollStatusRow('odd', 'starting'),
      row('archived', { kind: 'recording', status: 'archived' }),
      row('waiting', { kind: 'recording', status: 'waiting' }),
      row('entry', { kind: 'agent-entry', status: 'live' }),
      row('other', { account: 'other' }),
    ],
    read: 10,
    position: { table: 'agents' },
  };

  it.each<[string, Partial<Replay['range']>, readonly string[]]>([
    ['everything that makes an event', {}, ['new', 'revised', 'participant', 'down', 'up', 'archived', 'other']],
    ['one account', { account: 'other' }, ['other']],
    ['new calls', { types: ['Call Summary Recorded'] }, ['new', 'other']],
    ['revised calls', { types: ['Call Summary Revised'] }, ['revised']],
    ['recordings', { types: ['Call Recording Archived'] }, ['archived']],
    ['participants', { types: ['Call Participant Recorded'] }, ['participant']],
    ['interruptions', { types: ['Agent Feed Interrupted'] }, ['down']],
    ['two types', { types: ['Agent Feed Restored', 'Call Summary Revised'] }, ['revised', 'up']],
    ['nothing of a type that no row stores', { types: ['Agent Logged In'] }, []],
  ])('replays %s', async (_title, wanted, expected) => {
    const { told } = await replayOf([all], { range: { ...range, ...wanted } });

    expect(told).toEqual(expected.map((pk) => `agents ${pk}`));
  });

  it.each<[string, readonly Page[], number, ReplayPosition]>([
    ['before the first row, at the beginning', twoPages, 0, { table: 'calls' }],
    ['within a page, at the last marked row', twoPages, 1, onCalls('a')],
    ['with the last row of a page, at its end', twoPages, 2, onCalls('x')],
    ['among the rows of feeds, at their beginning', [all], 4, { table: 'agents' }],
  ])('stops %s', async (_title, pages, stopAfter, stoppedAt) => {
    const { done, told } = await replayOf(pages, {}, stopAfter);

    expect(told).toHaveLength(stopAfter);
    expect([done.replayed, done.stoppedAt]).toEqual([stopAfter, stoppedAt]);
  });

  it('stops at the position that it continued from, if it has marked no row since', async () => {
    const { done } = await replayOf(twoPages, { begin: onCalls('m') }, 0);

    expect(done).toMatchObject({ stoppedAt: onCalls('m') });
  });
});

it('pace lets the first pass at once and the others at even intervals, and makes up for no unused time', async () => {
  let now = 1_000;
  const next = pace(
    10,
    () => now,
    async (milliseconds) => {
      now += milliseconds;
    },
  );
  const passed: number[] = [];
  for (let count = 0; count < 6; count++) {
    await next();
    passed.push(now);
    if (count === 3) now += 5_000;
  }

  expect(passed).toEqual([1_000, 1_100, 1_200, 1_300, 6_300, 6_400]);
});
