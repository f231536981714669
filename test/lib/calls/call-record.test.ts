import { describe, expect, it } from 'vitest';
import { applyDelivery } from '../../../lib/calls/call-record.ts';
import { deliveryOf } from '../../../lib/calls/delivery.ts';
import type { Facts } from '../../../lib/core/objects.ts';
import { callKey } from '../../support/call-records.ts';

const at = (second: number) => `2026-11-20T06:00:0${second}.000Z`;
const deliveryAt = (facts: Facts, second: number) => deliveryOf(facts, at(second));

const answered = { status: 'answered' };
const first = applyDelivery(callKey, undefined, deliveryAt(answered, 1), at(1)).record;

describe('admit', () => {
  it('begins a record with the first delivery', () => {
    expect(applyDelivery(callKey, undefined, deliveryAt(answered, 1), at(2))).toEqual({
      outcome: 'stored',
      record: {
        key: callKey,
        deliveries: [deliveryAt(answered, 1)],
        facts: answered,
        revision: 1,
        version: 1,
        recordedAt: at(2),
      },
    });
  });

  it('adds a revision where a delivery changes what is known', () => {
    expect(applyDelivery(callKey, first, deliveryAt({ ...answered, dispositions: ['Sale'] }, 2), at(3))).toMatchObject({
      outcome: 'stored',
      record: { revision: 2, version: 2, recordedAt: at(3), facts: { dispositions: ['Sale'] } },
    });
  });

  it('keeps a poorer delivery without a revision', () => {
    const { outcome, record } = applyDelivery(callKey, first, deliveryAt({ status: 'not-answered' }, 2), at(3));

    expect(outcome).toBe('stored');
    expect(record).toMatchObject({ facts: answered, revision: 1, version: 2, recordedAt: at(1) });
    expect(record.deliveries).toHaveLength(2);
  });

  it.each([1, 2])('does nothing with a repeat received at second %d', (second) => {
    const { outcome, record } = applyDelivery(callKey, first, deliveryAt(answered, second), at(9));

    expect(outcome).toBe('duplicate');
    expect(record).toBe(first);
  });

  it('moves the place of a repeat that was received earlier, and lets it lose its precedence', () => {
    const one = { ...answered, comments: ['one'] };
    const two = { ...answered, comments: ['two'] };
    const known = [deliveryAt(one, 3), deliveryAt(two, 2)].reduce(
      (record, delivery) => applyDelivery(callKey, record, delivery, at(4)).record,
      applyDelivery(callKey, undefined, deliveryAt(answered, 1), at(4)).record,
    );
    const { outcome, record } = applyDelivery(callKey, known, deliveryAt(one, 0), at(5));

    expect(known.facts).toEqual(one);
    expect(outcome).toBe('duplicate');
    expect(record.facts).toEqual(two);
    expect(record.deliveries.map(({ receivedAt }) => receivedAt)).toEqual([at(0), at(1), at(2)]);
    expect(record).toMatchObject({ revision: known.revision + 1, version: known.version + 1, recordedAt: at(5) });
  });

  it('moves the place of a repeat without a revision where nothing changes by it', () => {
    const { record } = applyDelivery(callKey, first, deliveryAt(answered, 0), at(5));

    expect(record).toMatchObject({ revision: 1, version: 2, recordedAt: at(1), deliveries: [{ receivedAt: at(0) }] });
  });

  it('leaves the record that it was given as it was', () => {
    const before = structuredClone(first);
    applyDelivery(callKey, first, deliveryAt({ ...answered, location: 'Pune' }, 0), at(5));

    expect(first).toEqual(before);
  });
});

describe('deliveryOf', () => {
  it('names what was received by its content, in whatever order it was read', () => {
    expect(deliveryAt({ a: 1, b: 2 }, 1).id).toBe(deliveryAt({ b: 2, a: 1 }, 2).id);
    expect(deliveryAt({ a: 1 }, 1).id).not.toBe(deliveryAt({ a: '1' }, 1).id);
  });
});
