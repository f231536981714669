import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openInterval } from '../../../lib/agents/diff-agents.ts';
import { agentRow, intervalRow } from '../../../lib/agents/rows.ts';
import { Agent } from '../../../lib/agents/schema.ts';
import { quarantineEntry, quarantineRow } from '../../../lib/callback/store-or-park.ts';
import { rowOf } from '../../../lib/calls/call-row.ts';
import { CallFacts } from '../../../lib/calls/schema.ts';
import { loggableError } from '../../../lib/core/result.ts';
import { marshalled, type Row, readRow, unmarshalled } from '../../../lib/storage/rows.ts';
import { agentsTable, callsTable, quarantineTable, type Table } from '../../../lib/storage/tables.ts';
import { deliveryAt, loggedIn, receivedAt, recordFrom } from '../../support/posted-records.ts';

it('a row is read with the declared fields; an error names the wrong ones, and nothing deeper', () => {
  const Named = z.object({ name: z.string(), words: z.record(z.string(), z.string()) });

  expect(readRow(Named, { name: 'demo', words: {}, newer: 1 })).toEqual({ name: 'demo', words: {} });
  const error = loggableError('Callfeed did not write this row. Wrong: name, words');
  expect(() => readRow(Named, { name: 1, words: { secret: 1, other: 2 } })).toThrow(error);
});

describe('callsTable', () => {
  it('lists calls by time, by customer and by agent, in the order of time, and late ones by their recording', () => {
    expect(callsTable.indexes.map(({ name, key }) => [name, key.partition, key.sort])).toEqual([
      ['byTime', 'accountCalls', 'listedAt'],
      ['byCustomer', 'customerCalls', 'listedAt'],
      ['byAgent', 'agentCalls', 'listedAt'],
      ['byLateRecording', 'lateCalls', 'firstRecordedAt'],
    ]);
  });

  it('projects only attributes that a row has', () => {
    const known = [...Object.keys(CallFacts.shape), 'account', 'callId', 'leg', 'revision', 'listedAt'];

    for (const { projection } of callsTable.indexes)
      expect(projection.filter((attribute) => !known.includes(attribute))).toEqual([]);
  });
});

const asha = loggedIn('2026-11-20T06:00:00.000Z');
const late = '2026-11-19T06:00:00.000Z';
const call = recordFrom([
  deliveryAt({ status: 'answered', customerNumber: '1', agentIds: ['asha'], startedAt: late }, receivedAt),
]);
const quarantined = quarantineRow(
  quarantineEntry({ reason: 'broken-json', account: 'demo', body: '{', receivedAt }),
  9,
);

describe('a table’s rows', () => {
  it.each<[string, Table, Row]>([
    ['a call', callsTable, rowOf(call, 9)],
    ['a quarantine entry', quarantineTable, quarantined],
    ['an interval of an agent’s timeline', agentsTable, intervalRow('demo', openInterval(asha), 9)],
  ])('have the table’s key and an expiry: %s', (_title, table, row) => {
    expect(row).toHaveProperty(table.key.partition, expect.any(String));
    if (table.key.sort !== undefined) expect(row).toHaveProperty(table.key.sort, expect.any(String));
    // A time-to-live in milliseconds would never expire.
    expect(row[table.timeToLive]).toBe(Date.parse(receivedAt) / 1000 + 9 * 86_400);
  });

  it.each<[string, Table, Row]>([
    ['a late call', callsTable, rowOf(call, 9)],
    ['an agent', agentsTable, agentRow('demo', asha)],
  ])('have the keys of every index: %s', (_title, { indexes }, row) => {
    for (const { key } of indexes)
      expect(row).toMatchObject({ [key.partition]: expect.any(String), [key.sort]: expect.any(String) });
  });
});

describe('agentsTable', () => {
  it('publishes agents and changes of the feed, and lists agents by state, longest in it first', () => {
    expect(agentsTable.published).toEqual(['agent', 'feed-change']);
    expect(agentsTable.indexes).toMatchObject([
      { name: 'byState', key: { partition: 'agentsInState', sort: 'since' } },
    ]);
  });

  it('projects every attribute of an agent to its index, without undocumented fields', () => {
    const [{ key, projection } = { key: undefined, projection: [] }] = agentsTable.indexes;

    expect([key?.partition, key?.sort, ...projection].sort()).toEqual(
      ['account', 'agentsInState', ...Object.keys(Agent.shape).filter((name) => name !== 'extra')].sort(),
    );
  });
});

it('a row is written without what is undefined, and read as it was', () => {
  const row = { id: '1', seconds: 1.5, legs: [{ status: 'answered', did: undefined }], notes: [], none: null };

  expect(Object.keys(marshalled({ ...row, did: undefined }))).toEqual(['id', 'seconds', 'legs', 'notes', 'none']);
  expect(unmarshalled(marshalled(row))).toStrictEqual({ ...row, legs: [{ status: 'answered' }] });
});

it('a row can be read with types and numbers that only others write', () => {
  const item = { tags: { SS: ['a'] }, image: { B: new Uint8Array([1]) }, count: { N: '12345678901234567890' } };

  expect(unmarshalled(item)).toEqual({ tags: new Set(['a']), image: new Uint8Array([1]), count: 12345678901234567000 });
});
