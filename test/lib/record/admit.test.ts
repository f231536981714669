import { describe, expect, it } from 'vitest';
import { deliveryOf, type Facts } from '../../../lib/record/delivery.ts';
import { admit } from '../../../lib/record/record.ts';
import { callKey } from '../support/record-of.ts';

const at = (second: number) => `2026-11-20T06:00:0${second}.000Z`;
const said = (facts: Facts, second: number) => deliveryOf(facts, at(second));

const answered = { status: 'answered' };
const first = admit(callKey, undefined, said(answered, 1), at(1)).record;

describe('admit', () => {
  it('begins a record with the first delivery', () => {
    expect(admit(callKey, undefined, said(answered, 1), at(2))).toEqual({
      outcome: 'stored',
      record: {
        key: callKey,
        deliveries: [said(answered, 1)],
        facts: answered,
        revision: 1,
        version: 1,
        recordedAt: at(2),
      },
    });
  });

  it('adds a revision where a delivery changes what is known', () => {
    expect(admit(callKey, first, said({ ...answered, dispositions: ['Sale'] }, 2), at(3))).toMatchObject({
      outcome: 'stored',
      record: { revision: 2, version: 2, recordedAt: at(3), facts: { dispositions: ['Sale'] } },
    });
  });

  it('keeps a poorer delivery without a revision', () => {
    const { outcome, record } = admit(callKey, first, said({ status: 'not-answered' }, 2), at(3));

    expect(outcome).toBe('stored');
    expect(record).toMatchObject({ facts: answered, revision: 1, version: 2, recordedAt: at(1) });
    expect(record.deliveries).toHaveLength(2);
  });

  it.each([1, 2])('does nothing with a repeat received at second %d', (second) => {
    const { outcome, record } = admit(callKey, first, said(answered, second), at(9));

    expect(outcome).toBe('duplicate');
    expect(record).toBe(first);
  });

  it('moves the place of a repeat that was received earlier, and lets it lose its precedence', () => {
    const one = { ...answered, comments: ['one'] };
    const two = { ...answered, comments: ['two'] };
    const known = [said(one, 3), said(two, 2)].reduce(
      (record, delivery) => admit(callKey, record, delivery, at(4)).record,
      admit(callKey, undefined, said(answered, 1), at(4)).record,
    );
    const { outcome, record } = admit(callKey, known, said(one, 0), at(5));

    expect(known.facts).toEqual(one);
    expect(outcome).toBe('duplicate');
    expect(record.facts).toEqual(two);
    expect(record.deliveries.map(({ receivedAt }) => receivedAt)).toEqual([at(0), at(1), at(2)]);
    expect(record).toMatchObject({ revision: known.revision + 1, version: known.version + 1, recordedAt: at(5) });
  });

  it('moves the place of a repeat without a revision where nothing changes by it', () => {
    const { record } = admit(callKey, first, said(answered, 0), at(5));

    expect(record).toMatchObject({ revision: 1, version: 2, recordedAt: at(1), deliveries: [{ receivedAt: at(0) }] });
  });

  it('leaves the record that it was given as it was', () => {
    const before = structuredClone(first);
    admit(callKey, first, said({ ...answered, location: 'Pune' }, 0), at(5));

    expect(first).toEqual(before);
  });
});

describe('deliveryOf', () => {
  it('names what was received by its content, in whatever order it was read', () => {
    expect(said({ a: 1, b: 2 }, 1).id).toBe(said({ b: 2, a: 1 }, 2).id);
    expect(said({ a: 1 }, 1).id).not.toBe(said({ a: '1' }, 1).id);
  });
});
