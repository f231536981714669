import { describe, expect, it } from 'vitest';
import { type Delivery, deliveryOf } from '../../../lib/record/delivery.ts';
import { lastChange } from '../../../lib/record/last-change.ts';
import { callKey, recordFrom } from '../support/record-of.ts';

const second = (number: number): string => `2026-11-20T06:00:0${number}.000Z`;
const said = (number: number, facts: object): Delivery => deliveryOf({ timeZone: 'UTC', ...facts }, second(number));

const answered = said(1, { status: 'answered', comments: ['x'] });
const withDisposition = said(2, { status: 'answered', comments: ['x'], dispositions: ['Sale'] });
const poorer = said(3, { status: 'not-answered' });

describe('the last change of a record', () => {
  it('is that from nothing, for a record of one delivery', () => {
    expect(lastChange(recordFrom([answered]))).toEqual({ before: {}, receivedAt: second(1) });
  });

  it('is what the second delivery changed', () => {
    expect(lastChange(recordFrom([answered, withDisposition]))).toEqual({
      before: answered.facts,
      receivedAt: second(2),
    });
  });

  it('passes over deliveries that changed nothing', () => {
    expect(lastChange(recordFrom([answered, withDisposition, poorer]))).toEqual({
      before: answered.facts,
      receivedAt: second(2),
    });
    expect(lastChange(recordFrom([answered, poorer]))).toEqual({ before: {}, receivedAt: second(1) });
  });

  it('is that by the first delivery, where it was processed last, as what was parked is', () => {
    const record = recordFrom([poorer, answered]);

    expect(record).toMatchObject({ revision: 2, deliveries: [{ id: answered.id }, { id: poorer.id }] });
    expect(lastChange(record)).toEqual({ before: poorer.facts, receivedAt: second(3) });
  });

  it('depends on what is in the row alone', () => {
    const record = recordFrom([answered, withDisposition], callKey);

    expect(lastChange({ ...record, version: 9, recordedAt: second(9) })).toEqual(lastChange(record));
  });
});
