import { describe, expect, it } from 'vitest';
import type { RecordFacts } from '../../../lib/calls/merge-deliveries.ts';
import { applyDeliveries } from '../../../lib/calls/record-delivery.ts';
import { callKey, deliveryAt } from '../../support/call-records.ts';

const at = (second: number) => `2026-11-20T06:00:0${second}.000Z`;
const delivered = (facts: RecordFacts, second: number) => deliveryAt(facts, at(second));

const answered = { status: 'answered' };
const first = applyDeliveries(callKey, undefined, [delivered(answered, 1)], at(1)).record;

describe('applyDeliveries', () => {
  it('starts a record with the first delivery', () => {
    expect(applyDeliveries(callKey, undefined, [delivered(answered, 1)], at(2))).toEqual({
      outcome: 'stored',
      record: {
        key: callKey,
        deliveries: [delivered(answered, 1)],
        facts: answered,
        revision: 1,
        version: 1,
        recordedAt: at(2),
        firstRecordedAt: at(2),
        lastChange: { revision: 1, occurredAt: at(1) },
      },
    });
  });

  it('adds a revision if a delivery changes the facts', () => {
    expect(
      applyDeliveries(callKey, first, [delivered({ ...answered, dispositions: ['Sale'] }, 2)], at(3)),
    ).toMatchObject({
      outcome: 'stored',
      record: { revision: 2, version: 2, recordedAt: at(3), firstRecordedAt: at(1), facts: { dispositions: ['Sale'] } },
    });
  });

  it('stores a poorer delivery without a revision', () => {
    const { outcome, record } = applyDeliveries(callKey, first, [delivered({ status: 'not-answered' }, 2)], at(3));

    expect(outcome).toBe('stored');
    expect(record).toMatchObject({ facts: answered, revision: 1, version: 2, recordedAt: at(1) });
    expect(record.deliveries).toHaveLength(2);
  });

  it.each([1, 2])('ignores a repeat that was received at second %d', (second) => {
    const { outcome, record } = applyDeliveries(callKey, first, [delivered(answered, second)], at(9));

    expect(outcome).toBe('duplicate');
    expect(record).toBe(first);
  });

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

  it('does not change the given record', () => {
    const before = structuredClone(first);
    applyDeliveries(callKey, first, [delivered({ ...answered, location: 'Pune' }, 0)], at(5));

    expect(first).toEqual(before);
  });
});

describe('deliveryAt', () => {
  it('gives equal content the same id, in whatever order its fields are', () => {
    expect(delivered({ a: 1, b: 2 }, 1).id).toBe(delivered({ b: 2, a: 1 }, 2).id);
    expect(delivered({ a: 1 }, 1).id).not.toBe(delivered({ a: '1' }, 1).id);
  });
});
