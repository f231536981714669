import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../../lib/calls/call-record.ts';
import { withDerived, withoutDerived } from '../../../lib/calls/call-record.ts';
import { factsOf, recordOf, rowOf } from '../../../lib/calls/call-row.ts';

import { callDelivery, participantDelivery } from '../../support/arbitraries.ts';
import { callKey, deliveryAt, normalisedCall, participantKey, recordFrom } from '../../support/call-records.ts';
import { holds } from '../../support/property.ts';

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

    it('counts the retention of a record without deliveries from its last write', () => {
      expect(rowOf({ ...record, deliveries: [] }, 1)).toMatchObject({
        firstReceivedAt: record.recordedAt,
        expiresAt: Date.parse(record.recordedAt) / 1000 + 86_400,
      });
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

    it('keeps attributes of a newer version among the facts', () => {
      expect(recordOf({ ...rowOf(record, 730), sentiment: 'good' }).facts).toMatchObject({ sentiment: 'good' });
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

  describe('factsOf', () => {
    it('are the facts of a row, without metadata and derived values', () => {
      expect(factsOf(rowOf(record, 730))).toEqual(record.facts);
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
    [
      'its note beside others',
      { ...start, endedAt: at('10:59:59.999'), notes: [overLong] },
      { notes: [reversed, overLong] },
    ],
    ['nothing without a start', { endedAt: at('11:00:00.000'), notes: [overLong] }, {}],
    ['nothing without an end', { ...start }, {}],
  ] as const;

  describe('withDerived', () => {
    it.each(rows)('adds %s', (_title, facts, added) => {
      expect(withDerived(facts)).toEqual({ ...facts, ...added });
    });
  });

  describe('withoutDerived', () => {
    it.each(rows)('removes %s', (_title, facts) => {
      expect(withoutDerived(withDerived(facts))).toEqual(facts);
    });
  });
});
