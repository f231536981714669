import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  agentEntryKey,
  firstRecording,
  furtherAgents,
  indexKeys,
  partitionKey,
  rowKey,
} from '../../../lib/calls/call-keys.ts';
import { type CallRecord, withDerived, withoutDerived } from '../../../lib/calls/call-record.ts';
import { agentEntriesOf, recordOf, rowOf, staleEntryKeys } from '../../../lib/calls/call-row.ts';
import type { RecordFacts } from '../../../lib/calls/merge-deliveries.ts';
import { maxRecordings } from '../../../lib/telephony/recording-links.ts';
import { callDelivery, holds, participantDelivery } from '../../support/arbitraries.ts';
import {
  callKey,
  deliveryAt,
  normalisedCall,
  participantKey,
  recordedAt,
  recordFrom,
} from '../../support/posted-records.ts';

const sentIn = ({ deliveries }: CallRecord, index: number) => ({
  id: deliveries[index]?.id,
  asSent: deliveries[index]?.asSent,
});

describe('row', () => {
  const at = (second: number) => `2026-11-20T06:00:0${second}.000Z`;
  const rich = { status: 'answered', startedAt: '2026-11-20T05:30:00.000Z', endedAt: '2026-11-20T05:30:09.000Z' };
  const poor = { status: 'not-answered', skillName: 'General' };
  const record = recordFrom([deliveryAt(rich, at(1)), deliveryAt(poor, at(2))]);

  /** What the database and a queue make of a row. */
  const stored = <Row>(row: Row): Row => JSON.parse(JSON.stringify(row));

  describe('rowOf', () => {
    it('has no difference between a record and its only delivery, however odd that is', () => {
      const { delivery } = normalisedCall({
        monitorUCID: '9'.repeat(30),
        CallDuration: '99999999999999999999',
        StartTime: 'yesterday',
        EndTime: '01/07/2026',
        AgentPhoneNumber: '0'.repeat(30),
      });

      expect(rowOf(recordFrom([delivery]), 9)['deliveries']).toEqual([
        { id: delivery.id, receivedAt: delivery.receivedAt, asSent: delivery.asSent },
      ]);
    });

    it('has the facts as attributes, and of each delivery only the difference', () => {
      expect(rowOf(record, 730)).toEqual({
        pk: 'demo#41781234567890123',
        sk: 'call',
        accountCalls: 'demo',
        listedAt: '2026-11-20T05:30:00.000Z',
        kind: 'call',
        account: 'demo',
        callId: '41781234567890123',
        ...rich,
        skillName: 'General',
        elapsedSeconds: 9,
        revision: 2,
        version: 2,
        recordedAt: record.recordedAt,
        firstRecordedAt: record.recordedAt,
        firstReceivedAt: at(1),
        lastReceivedAt: at(2),
        expiresAt: Date.parse('2028-11-19T06:00:01.000Z') / 1000,
        deliveries: [
          { ...sentIn(record, 0), receivedAt: at(1), differences: { skillName: null } },
          {
            ...sentIn(record, 1),
            receivedAt: at(2),
            differences: { status: 'not-answered', startedAt: null, endedAt: null },
          },
        ],
      });
    });

    it.each([
      ['a valid number of the report’s column', '31612345413', { E164: '+31612345413' }, '+31612345413'],
      ['one without its plus', '12345678', { e164: '919840012345' }, '+919840012345'],
      ['the number as sent where the column is not valid', '09840012345', { E164: '+447700900674' }, '+919840012345'],
      ['the number as sent where the column has a word', '09840012345', { E164: 'NA' }, '+919840012345'],
      ['nothing of an erased customer', 'erased', { E164: '+919840012345' }, undefined],
      ['nothing without a number', undefined, { E164: '+919840012345' }, undefined],
    ])('has as the customer’s E.164 %s', (_which, customerNumber, extra, expected) => {
      const facts = { timeZone: 'Asia/Kolkata', extra, ...(customerNumber !== undefined && { customerNumber }) };
      const row = rowOf(recordFrom([deliveryAt(facts, at(1))]), 730);

      expect([row['customerNumberE164'], row['extra']]).toEqual([expected, extra]);
    });

    it('counts the retention of a record without deliveries from its last write', () => {
      const row = rowOf({ ...record, deliveries: [] }, 1);

      expect(row).toMatchObject({
        firstReceivedAt: record.recordedAt,
        expiresAt: Date.parse(record.recordedAt) / 1000 + 86_400,
      });
      expect(row).not.toHaveProperty('source');
    });

    it('lists no participant by time, customer or agent: they are found through their call', () => {
      const row = rowOf(recordFrom([deliveryAt({ exitStatus: 'x' }, at(1))], participantKey), 1);

      expect(row).toMatchObject({ sk: 'participant#a1', participantId: 'a1', kind: 'participant' });
      expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['listedAt']));
    });
  });

  describe('recordOf', () => {
    it.each([
      ['call', callDelivery, callKey],
      ['participant', participantDelivery, participantKey],
    ] as const)('is the record of a %s that rowOf wrote, with every delivery unchanged', (_kind, delivery, key) => {
      holds(
        fc.property(
          fc.array(delivery, { minLength: 1, maxLength: 6 }),
          fc.integer({ min: 1, max: 4000 }),
          (said, days) => {
            const known = recordFrom(said, key);

            expect(recordOf(stored(rowOf(known, days)))).toEqual(known);
          },
        ),
      );
    });

    it('keeps attributes of a newer version among the facts, and none of its own', () => {
      const row = { ...rowOf(record, 730), source: 'report', replayedAt: at(3), sentiment: 'good' };
      expect(recordOf(row).facts).toEqual({ ...record.facts, sentiment: 'good' });
    });

    it.each([
      ['no kind', { kind: undefined }],
      ['the kind of another row', { kind: 'agent-entry' }],
      ['no deliveries', { deliveries: undefined }],
      ['a revision of 0', { revision: 0 }],
      ['a version that is no number', { version: '1' }],
    ])('throws for a row with %s: Callfeed did not write it', (_title, part) => {
      expect(() => recordOf({ ...rowOf(record, 730), ...part })).toThrow();
    });
  });
});

describe('derived', () => {
  const at = (time: string) => `2026-11-20T${time}Z`;
  const start = { startedAt: at('11:00:00.000') };
  const overLong = { field: 'uui', reason: 'over-long' };
  const reversed = { field: 'endedAt', reason: 'end-before-start' };

  const rows = [
    ['the time between start and end', { ...start, endedAt: at('11:04:10.500') }, { elapsedSeconds: 250.5 }],
    ['0 seconds where the end is the start', { ...start, endedAt: at('11:00:00.000') }, { elapsedSeconds: 0 }],
    ['a note where the end precedes the start', { ...start, endedAt: at('10:59:59.999') }, { notes: [reversed] }],
    ['its note, too', { ...start, endedAt: at('10:59:59.999'), notes: [overLong] }, { notes: [reversed, overLong] }],
    ['nothing without a start', { endedAt: at('11:00:00.000'), notes: [overLong] }, {}],
    ['nothing without an end', { ...start }, {}],
    ['no note on as many links as are kept', { recordings: Array(maxRecordings).fill('https://r/1') }, {}],
  ] as const;

  it.each(rows)('adds %s, and nothing that is not removed again', (_title, facts, added) => {
    expect(withDerived(facts)).toEqual({ ...facts, ...added });
    expect(withoutDerived(withDerived(facts))).toEqual(facts);
  });
});

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

const later = (ms: number) => new Date(Date.parse(received) + ms).toISOString();

const week = 7 * 86_400_000;

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
    ['approximate time without both', { approximateAt: 'c' }, 'c'],
    ['start by a clock that is a week ahead', { startedAt: later(week) }, later(week)],
    ['first receipt, if the start is still later', { startedAt: later(week + 1) }, received],
    ['first receipt, if the end alone is', { endedAt: later(week + 1) }, received],
    ['end, if the start is after the receipt', { startedAt: later(300_001), endedAt: later(-1) }, later(-1)],
    ['start, if it is five minutes after it', { startedAt: later(300_000), endedAt: later(-1) }, later(300_000)],
  ])('are in the order of the %s', (_title, facts, listedAt) => {
    expect(indexKeys(recordWith(facts)).listedAt).toBe(listedAt);
  });

  it('leave out a value that is absent, erased or too long for a key', () => {
    for (const facts of [{}, { customerNumber: 'erased', agentIds: ['erased'] }])
      expect(indexKeys(recordWith(facts))).toMatchObject({ customerCalls: undefined, agentCalls: undefined });
    expect(indexKeys(recordWith({ customerNumber: '9'.repeat(1000), agentIds: ['é'.repeat(400)] }))).toMatchObject({
      customerCalls: undefined,
      agentCalls: undefined,
    });
    expect(indexKeys(recordWith({ customerNumber: '9'.repeat(995) })).customerCalls).toHaveLength(1000);
  });
});

const eighty = Array.from({ length: 80 }, (_, index) => `a${index}`);

it.each([
  ['the distinct agents after the first', ['a', 'b', 'a', 'c', 'b'], ['b', 'c']],
  ['none of one', ['a'], []],
  ['none of nobody', undefined, []],
  ['none whose id is too long for a key', ['a', 'b'.repeat(1000), 'c'], ['c']],
  ['at most 49, so that a write with new and removed entries fits into one transaction', eighty, eighty.slice(1, 50)],
])('further agents are %s', (_which, agentIds, expected) => {
  expect(furtherAgents(recordWith(agentIds === undefined ? {} : { agentIds })).map(({ agentId }) => agentId)).toEqual(
    expected,
  );
});

it('entries of further agents copy the listed attributes, and nothing personal besides names and number', () => {
  const record = recordWith({ agentIds: ['a', 'b#'], customerNumber: '1', uui: 'x', comments: ['y'], endedAt: 'b' });

  // In another partition than the call, so that reading the call does not read them.
  expect(agentEntriesOf(record, rowOf(record, 30))).toEqual([
    {
      pk: 'demo#41781234567890123#agents',
      sk: 'b%23',
      kind: 'agent-entry',
      agentCalls: 'demo#b%23',
      account: 'demo',
      callId: '41781234567890123',
      revision: 1,
      agentIds: ['a', 'b#'],
      customerNumber: '1',
      endedAt: 'b',
      listedAt: 'b',
      expiresAt: rowOf(record, 30)['expiresAt'],
    },
  ]);
});

it.each([
  ['agents whom the record no longer has', ['a', 'b', 'c', 'd'], ['a', 'c'], ['b', 'd']],
  ['nobody where it has the same', ['a', 'b'], ['a', 'b'], []],
  ['one who is the first now, because the call itself is listed under the first', ['a', 'b'], ['b', 'a'], ['b']],
])('stale entries are those of %s', (_of, before, after, stale) => {
  expect(staleEntryKeys(recordWith({ agentIds: before }), recordWith({ agentIds: after }))).toEqual(
    stale.map((agentId) => agentEntryKey(callKey, agentId)),
  );
});
