import { describe, expect, it } from 'vitest';
import { type CallRecord, withDeliveries } from '../../../lib/calls/call-record.ts';
import { type Delivery, deliveryOf, type RecordFacts } from '../../../lib/calls/merge-deliveries.ts';
import { applyDeliveries, recordDelivery } from '../../../lib/calls/record-delivery.ts';
import type { PutResult, VersionedRows } from '../../../lib/storage/rows.ts';
import { generousDeadline, memoryVersionedRows } from '../../support/memory-ports.ts';
import { callKey, deliveryAt, keyedDelivery, summaryWith } from '../../support/posted-records.ts';

const recordedAt = '2026-11-20T06:10:00.000Z';

const recorder = (rows: VersionedRows) =>
  recordDelivery({ rows, retentionDays: 10, clock: () => new Date(recordedAt) });

/** The calls' table in memory. `puts` has the result of each put. */
const setUp = () => {
  const memory = memoryVersionedRows();
  const puts: string[] = [];
  const record = recorder({
    async putNextVersion(...args) {
      const put = await memory.putNextVersion(...args);
      puts.push(put.kind);
      return put;
    },
  });
  /** Records a summary that is received so many milliseconds after the first. */
  const receive = (fields: object, ms = 0) => {
    const { key, delivery } = keyedDelivery(summaryWith(fields), `2026-11-20T06:00:00.${String(ms).padStart(3, '0')}Z`);
    return record(key, delivery, generousDeadline());
  };
  return { puts, receive, rows: () => memory.select() };
};

describe('recordDelivery', () => {
  it('stores a new call with one put, for its days from the first receipt on', async () => {
    const { receive, puts, rows } = setUp();

    expect(await receive({})).toBe('stored');

    expect(puts).toEqual(['written']);
    const lastReceivedAt = '2026-11-20T06:00:00.000Z';
    const expiresAt = Date.parse('2026-11-30T06:00:00Z') / 1000;
    expect(rows()).toMatchObject([
      { sk: 'call', status: 'answered', revision: 1, version: 1, recordedAt, lastReceivedAt, expiresAt },
    ]);
  });

  it('merges deliveries that arrive at once into the same record as one after the other', async () => {
    const variants = [{}, { Status: 'NotAnswered' }, { Comments: 'x' }, { Skill: 'Gold' }, { Disposition: 'Sale' }];
    const atOnce = setUp();
    const inTurn = setUp();

    const outcomes = await Promise.all(variants.map(atOnce.receive));
    for (const [ms, variant] of variants.entries()) await inTurn.receive(variant, ms);

    const withoutRevision = ({ revision: _revision, ...row }: Record<string, unknown>) => row;
    expect(outcomes).toEqual(variants.map(() => 'stored'));
    expect(atOnce.rows().map(withoutRevision)).toEqual(inTurn.rows().map(withoutRevision));
    expect(inTurn.rows()[0]).not.toHaveProperty('lastChange');
  });

  it('stores a delivery once when it is posted four times at once', async () => {
    const { receive } = setUp();

    const outcomes = await Promise.all([1, 2, 3, 4].map(() => receive({})));

    expect(outcomes.toSorted()).toEqual(['duplicate', 'duplicate', 'duplicate', 'stored']);
  });

  /** Records one delivery over a table that answers like this. */
  const record = async (answer: (put: number) => Promise<PutResult> | PutResult) => {
    const signal = generousDeadline();
    const versions: number[] = [];
    const rows: VersionedRows = {
      async putNextVersion({ version }, _alongside, given) {
        expect(given).toBe(signal);
        versions.push(version);
        return answer(versions.length);
      },
    };
    const { key, delivery } = keyedDelivery(summaryWith());
    return { outcome: await recorder(rows)(key, delivery, signal), versions };
  };

  const unseenConflict: PutResult = { kind: 'conflict', row: undefined };

  it('starts again as for a new call after a conflict that shows no row', async () => {
    const result = await record((put) => (put === 1 ? unseenConflict : { kind: 'written' }));

    expect(result).toEqual({ outcome: 'stored', versions: [1, 1] });
  });

  it('rejects a delivery whose row the table can never store', async () => {
    expect(await record(() => ({ kind: 'rejected' }))).toEqual({ outcome: 'rejected', versions: [1] });
  });

  it('writes at its twentieth attempt, and gives up after twenty conflicts in a row', async () => {
    const lucky = await record((put) => (put < 20 ? unseenConflict : { kind: 'written' }));

    expect(lucky).toMatchObject({ outcome: 'stored', versions: { length: 20 } });
    let puts = 0;
    const unlucky = record((put) => {
      puts = put;
      return unseenConflict;
    });
    await expect(unlucky).rejects.toThrow('Others changed the row 20 times');
    expect(puts).toBe(20);
  });
});

const at = (second: number) => `2026-11-20T06:00:0${second}.000Z`;
const delivered = (facts: RecordFacts, second: number) => deliveryAt(facts, at(second));

const answered = { status: 'answered' };
const told = delivered(answered, 1);
const first = applyDeliveries(callKey, undefined, [told], at(1)).record;

describe('applyDeliveries', () => {
  it('moves a repeat that was received earlier to its place, where it loses its precedence', () => {
    const one = { ...answered, comments: ['one'] };
    const two = { ...answered, comments: ['two'] };
    const known = [delivered(one, 3), delivered(two, 2)].reduce(
      (record, delivery) => applyDeliveries(callKey, record, [delivery], at(4)).record,
      applyDeliveries(callKey, undefined, [delivered(answered, 1)], at(4)).record,
    );
    const { outcome, record } = applyDeliveries(callKey, known, [delivered(one, 0)], at(5));

    expect(known.facts).toEqual(one);
    expect(outcome).toBe('duplicate');
    expect(record.facts).toEqual(two);
    expect(record.deliveries.map(({ receivedAt }) => receivedAt)).toEqual([at(0), at(1), at(2)]);
    expect(record).toMatchObject({ revision: known.revision + 1, version: known.version + 1, recordedAt: at(5) });
  });

  it('moves a repeat without a revision if the facts stay the same', () => {
    const { record } = applyDeliveries(callKey, first, [delivered(answered, 0)], at(5));

    expect(record).toMatchObject({ revision: 1, version: 2, recordedAt: at(1), deliveries: [{ receivedAt: at(0) }] });
  });

  it.each<[string, Partial<CallRecord>, number?]>([
    ['although an older version merged the facts in another way', { facts: { ...answered, location: 'b' } }],
    ['even of an earlier receipt, once a person was erased from it', { deliveries: [{ ...told, erasedAt: at(4) }] }, 0],
  ])('writes nothing for a repeat, %s', (_title, other, second = 1) => {
    const known = { ...first, ...other };

    expect(applyDeliveries(callKey, known, [delivered(answered, second)], at(5)).record).toBe(known);
  });

  it('stores what the report has, however little, where there is no callback, and then one that says the same', () => {
    const post = { receivedAt: at(1), asSent: '' };
    const reported = deliveryOf({ ucid: '1' }, { ...post, source: 'report' });
    const { outcome, record } = applyDeliveries(callKey, undefined, [reported], at(2));

    expect([outcome, record.deliveries]).toEqual(['stored', [reported]]);
    expect(applyDeliveries(callKey, record, [deliveryOf({ ucid: '1' }, post)], at(3)).outcome).toBe('stored');
  });

  it('stores nothing of the report for another unknown word alone', () => {
    const reported = (hangupByAsSent: string, second: number): Delivery => ({
      ...delivered({ ...answered, hangupBy: 'unknown', hangupByAsSent }, second),
      source: 'report',
    });
    const { record } = applyDeliveries(callKey, undefined, [reported('Robot', 1)], at(1));

    expect(applyDeliveries(callKey, record, [reported('Bot', 2)], at(2)).record).toBe(record);
  });
});

describe('withDeliveries', () => {
  const poor = delivered({ status: 'not-answered' }, 2);
  const stored = applyDeliveries(callKey, first, [poor], at(3)).record;

  it.each([
    ['of other facts', delivered({ status: 'unknown' }, 2)],
    ['of another receipt', { ...poor, receivedAt: at(3) }],
    ['from which a person was erased', { ...poor, erasedAt: at(4) }],
  ])('stores a delivery %s, although the call’s facts stay the same', (_title, other) => {
    const deliveries = [delivered(answered, 1), other];

    expect(withDeliveries(stored, deliveries, at(5))).toEqual({ ...stored, deliveries, version: 3 });
  });

  it('returns the stored record for the same deliveries', () => {
    expect(withDeliveries(stored, structuredClone(stored.deliveries), at(5))).toBe(stored);
  });
});
