import { describe, expect, it } from 'vitest';
import { openInterval } from '../../../lib/agents/diff-agents.ts';
import { agentRow, intervalRow } from '../../../lib/agents/rows.ts';
import { Agent } from '../../../lib/agents/schema.ts';
import { quarantineEntry, quarantineRow } from '../../../lib/callback/store-or-park.ts';
import { rowOf } from '../../../lib/calls/call-row.ts';
import { CallFacts } from '../../../lib/calls/schema.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { agentsTable, callsTable, quarantineTable, type Table } from '../../../lib/storage/tables.ts';
import { deliveryAt, loggedIn, receivedAt, recordFrom } from '../../support/posted-records.ts';

describe('callsTable', () => {
  it('has these indexes, each in the order of time', () => {
    expect(callsTable.indexes.map(({ name, key }) => [name, key.partition, key.sort])).toEqual([
      ['byTime', 'accountCalls', 'listedAt'],
      ['byCustomer', 'customerCalls', 'listedAt'],
      ['byAgent', 'agentCalls', 'listedAt'],
      ['byLateRecording', 'lateCalls', 'firstRecordedAt'],
    ]);
  });

  const known = [...Object.keys(CallFacts.shape), 'account', 'callId', 'leg', 'revision', 'listedAt'];

  it.each(callsTable.indexes)('$name projects only attributes that a row has', ({ projection }) => {
    expect(projection.filter((attribute) => !known.includes(attribute))).toEqual([]);
  });
});

const asha = loggedIn('2026-11-20T06:00:00.000Z');
const late = '2026-11-19T06:00:00.000Z';
const call = recordFrom([
  deliveryAt({ status: 'answered', customerNumber: '1', agentIds: ['asha'], startedAt: late }, receivedAt),
]);
const retentionDays = 9;
const quarantined = quarantineRow(
  quarantineEntry({ reason: 'broken-json', account: 'demo', body: '{', receivedAt }),
  retentionDays,
);

describe('a table’s rows', () => {
  const expiring: readonly (readonly [title: string, table: Table, row: Row])[] = [
    ['a call', callsTable, rowOf(call, retentionDays)],
    ['a quarantine entry', quarantineTable, quarantined],
    ['an interval of an agent’s timeline', agentsTable, intervalRow('demo', openInterval(asha), retentionDays)],
  ];

  it.each(expiring)('have the table’s key: %s', (_title, table, row) => {
    expect(row).toHaveProperty(table.key.partition, expect.any(String));
    if (table.key.sort !== undefined) expect(row).toHaveProperty(table.key.sort, expect.any(String));
  });

  // A time-to-live in milliseconds would never expire.
  it.each(expiring)('expire after the retention, in seconds: %s', (_title, table, row) => {
    expect(row[table.timeToLive]).toBe(Date.parse(receivedAt) / 1000 + retentionDays * 86_400);
  });

  it.each<[string, Table, Row]>([
    ['a late call', callsTable, rowOf(call, retentionDays)],
    ['an agent', agentsTable, agentRow('demo', asha)],
  ])('have the keys of every index: %s', (_title, { indexes }, row) => {
    for (const { key } of indexes)
      expect(row).toMatchObject({ [key.partition]: expect.any(String), [key.sort]: expect.any(String) });
  });
});

describe('agentsTable', () => {
  it('publishes agents and changes of the feed', () => {
    expect(agentsTable.published).toEqual(['agent', 'feed-change']);
  });

  it('lists agents by state, the longest in it first', () => {
    expect(agentsTable.indexes).toMatchObject([
      { name: 'byState', key: { partition: 'agentsInState', sort: 'since' } },
    ]);
  });

  it('projects every attribute of an agent to its index, without undocumented fields', () => {
    const byState = agentsTable.indexes.find(({ name }) => name === 'byState');
    if (byState === undefined) throw new Error('No index byState');

    expect([byState.key.partition, byState.key.sort, ...byState.projection].sort()).toEqual(
      ['account', 'agentsInState', ...Object.keys(Agent.shape).filter((name) => name !== 'extra')].sort(),
    );
  });
});
