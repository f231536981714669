import { describe, expect, it } from 'vitest';
import {
  agentEntryKey,
  firstRecording,
  furtherAgents,
  indexKeys,
  partitionKey,
  rowKey,
} from '../../../lib/calls/call-keys.ts';
import { agentEntriesOf, rowOf, staleEntryKeys } from '../../../lib/calls/call-row.ts';

import type { RecordFacts } from '../../../lib/calls/merge-deliveries.ts';
import { callKey, deliveryAt, participantKey, recordedAt, recordFrom } from '../../support/call-records.ts';

const received = '2026-11-20T06:00:00.000Z';
const recordWith = (facts: RecordFacts) => recordFrom([deliveryAt(facts, received)]);

describe('rowKey', () => {
  it('puts a call and its participants into one partition', () => {
    expect(rowKey(callKey)).toEqual({ pk: 'demo#41781234567890123', sk: 'call' });
    expect(rowKey(participantKey)).toEqual({ pk: 'demo#41781234567890123', sk: 'participant#a1' });
  });

  it.each([
    ['a#b', 'c', 'a%23b#c'],
    ['a', 'b#c', 'a#b%23c'],
    ['a b', 'ü/1', 'a%20b#%C3%BC%2F1'],
  ])('keeps account %s and call %s apart from all others', (account, callId, key) => {
    expect(partitionKey(account, callId)).toBe(key);
  });
});

describe('listings', () => {
  it('list a call by account, by customer and by its first agent', () => {
    expect(
      indexKeys(recordWith({ customerNumber: '+91 98', agentIds: ['1001', '1002'], startedAt: 'b', endedAt: 'c' })),
    ).toEqual({
      accountCalls: 'demo',
      customerCalls: 'demo#%2B91%2098',
      agentCalls: 'demo#1001',
      listedAt: 'b',
    });
  });

  it.each([
    ['an hour after its start', '2026-11-20T05:10:00.000Z', undefined],
    ['later than an hour after its start', '2026-11-20T05:09:59.999Z', 'a%23b'],
    ['on another day than its start', '2026-11-18T06:10:00.000Z', 'a%23b'],
    ['five minutes before its start, by other clocks', '2026-11-20T06:15:00.000Z', undefined],
    ['still earlier, in a wrong time zone', '2026-11-20T06:15:00.001Z', 'a%23b'],
  ])(
    'list a call that was first recorded %s by its recording, if that was not in time',
    (_title, startedAt, lateCalls) => {
      const record = recordFrom([deliveryAt({ startedAt }, received)], { ...callKey, account: 'a#b' });

      const firstRecordedAt = lateCalls && recordedAt;
      expect(indexKeys(record)).toMatchObject({ firstRecordedAt, lateCalls });
      const revised = { ...record, revision: 2, recordedAt: '2027-01-01T00:00:00.000Z' };
      expect(indexKeys(revised)).toMatchObject({ firstRecordedAt: recordedAt, lateCalls });
    },
  );

  it.each([
    ['as stored', { firstRecordedAt: 'a', revision: 1, recordedAt: 'b' }, 'a'],
    ['of an older row that has not changed', { revision: 1, recordedAt: 'b', firstReceivedAt: 'c' }, 'b'],
    ['of an older row that has changed', { revision: 2, recordedAt: 'b', firstReceivedAt: 'c' }, 'c'],
    ['of no row', {}, undefined],
  ])('know when a call was first recorded: %s', (_title, row, at) => {
    expect(firstRecording(row)).toBe(at);
  });

  it.each([
    ['start', { startedAt: 'a', endedAt: 'b' }, 'a'],
    ['end without a start', { endedAt: 'b' }, 'b'],
    ['first receipt without both', {}, received],
  ])('are in the order of the %s', (_title, facts, listedAt) => {
    expect(indexKeys(recordWith(facts)).listedAt).toBe(listedAt);
  });

  it('leave out a value that is absent or too long for a key', () => {
    expect(indexKeys(recordWith({}))).toMatchObject({ customerCalls: undefined, agentCalls: undefined });
    expect(indexKeys(recordWith({ customerNumber: '9'.repeat(1000), agentIds: ['é'.repeat(400)] }))).toMatchObject({
      customerCalls: undefined,
      agentCalls: undefined,
    });
    expect(indexKeys(recordWith({ customerNumber: '9'.repeat(995) })).customerCalls).toHaveLength(1000);
  });
});

describe('furtherAgents', () => {
  it('are the distinct agents after the first', () => {
    expect(furtherAgents(recordWith({ agentIds: ['a', 'b', 'a', 'c', 'b'] }))).toEqual([
      { agentId: 'b', agentCalls: 'demo#b' },
      { agentId: 'c', agentCalls: 'demo#c' },
    ]);
  });

  it('are at most 49, so that a write with new and removed entries fits into one transaction', () => {
    const agentIds = Array.from({ length: 80 }, (_, index) => `a${index}`);

    expect(furtherAgents(recordWith({ agentIds }))).toHaveLength(49);
  });

  it('leave out an agent whose id is too long for a key', () => {
    expect(furtherAgents(recordWith({ agentIds: ['a', 'b'.repeat(1000), 'c'] }))).toHaveLength(1);
  });

  it.each([[{}], [{ agentIds: ['a'] }]])('are none for %j', (facts) => {
    expect(furtherAgents(recordWith(facts))).toEqual([]);
  });
});

describe('agentEntriesOf', () => {
  it('copies the listed attributes for each further agent, and nothing personal besides names and number', () => {
    const record = recordWith({ agentIds: ['a', 'b'], customerNumber: '1', uui: 'x', comments: ['y'], endedAt: 'b' });
    const [entry, ...others] = agentEntriesOf(record, rowOf(record, 30));

    expect(others).toEqual([]);
    expect(entry).toEqual({
      pk: 'demo#41781234567890123#agents',
      sk: 'b',
      kind: 'agent-entry',
      agentCalls: 'demo#b',
      account: 'demo',
      callId: '41781234567890123',
      revision: 1,
      agentIds: ['a', 'b'],
      customerNumber: '1',
      endedAt: 'b',
      listedAt: 'b',
      expiresAt: rowOf(record, 30)['expiresAt'],
    });
  });

  it('lie in another partition than the call, so that reading the call does not read them', () => {
    expect(agentEntryKey(callKey, 'b#').pk).not.toBe(rowKey(callKey).pk);
    expect(agentEntryKey(callKey, 'b#').sk).toBe('b%23');
  });
});

describe('staleEntryKeys', () => {
  it('are those of agents that the record no longer has', () => {
    const before = recordWith({ agentIds: ['a', 'b', 'c', 'd'] });

    expect(staleEntryKeys(before, recordWith({ agentIds: ['a', 'c'] }))).toEqual([
      agentEntryKey(callKey, 'b'),
      agentEntryKey(callKey, 'd'),
    ]);
    expect(staleEntryKeys(before, before)).toEqual([]);
  });

  it('include that of an agent who is the first now, because the call itself is listed under the first', () => {
    expect(staleEntryKeys(recordWith({ agentIds: ['a', 'b'] }), recordWith({ agentIds: ['b', 'a'] }))).toEqual([
      agentEntryKey(callKey, 'b'),
    ]);
  });
});
