import { describe, expect, it } from 'vitest';
import type { ComparedPeer } from '../../../bench/peers/compared.ts';
import { peersTable } from '../../../bench/peers/peers-table.ts';

const work = { callsBeforeReply: 1, calls: 2, writeUnits: 5, indexWriteUnits: 3, events: 1 };
const sizes = { receiver: 100_000, all: 150_000 };

const ours: ComparedPeer = {
  name: 'ours',
  bytes: sizes,
  gzippedBytes: sizes,
  packages: [],
  work: { first: work, repeat: { ...work, events: 0 }, revision: work },
  cpu: { receiverUs: 2_000, publisherUs: 2_000, publisherOfTenUs: 500 },
  cpuRounds: [],
};
const other: ComparedPeer = {
  ...ours,
  name: 'other',
  work: { ...ours.work, first: { ...work, indexWriteUnits: 0 } },
  cpu: { receiverUs: 3_000, publisherUs: 0, publisherOfTenUs: 0 },
};

describe('the table of peers', () => {
  const { head, rows } = peersTable([ours, other]);

  it('has a column for each peer', () => {
    expect(head).toEqual(['', 'ours', 'other']);
  });

  it.each([
    ['All bundles, KB', '150', '150'],
    ['AWS calls before the reply: new call', '1, 2 in all', '1, 2 in all'],
    ['Events: new call, repeat, revision', '1, 0, 1', '1, 0, 1'],
    ['Write units: new call', '5, 3 of them in indexes', '5'],
    ['CPU before the reply', '2.00 ms, 1.00 x', '3.00 ms, 1.50 x'],
    ['CPU in all, changes published one by one', '4.00 ms, 1.00 x', '3.00 ms, 0.75 x'],
    ['CPU in all, ten at a time', '2.50 ms, 1.00 x', '3.00 ms, 1.20 x'],
  ])('has a row “%s”', (...row) => {
    expect(rows).toContainEqual(row);
  });

  it('is empty where there is nobody to compare with', () => {
    expect(peersTable([]).rows).toEqual([]);
  });
});
