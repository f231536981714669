import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callEventOf } from '../../../lib/publish/call-event-of.ts';
import type { BusEvent, RowChange } from '../../../lib/publish/row-change.ts';
import { byReceipt, type Delivery, deliveryOf, type Facts } from '../../../lib/record/delivery.ts';
import type { RecordKey } from '../../../lib/record/record.ts';
import { agentEntriesOf, recordOf } from '../../../lib/record/row.ts';
import { callDelivery, participantDelivery } from '../support/arbitrary-deliveries.ts';
import { changesBy, changesOf } from '../support/change-of.ts';
import { holds } from '../support/property.ts';
import { callKey, participantKey } from '../support/record-of.ts';

const replayedAt = '2026-11-21T10:00:00.000Z';

/** The change that marking a row makes. */
const marked = (row: Facts | undefined, at = replayedAt): RowChange => ({
  sequence: 'r',
  before: row,
  after: { ...row, replayedAt: at },
});
const lastRow = (changes: readonly RowChange[]) => changes.at(-1)?.after;
const at = (second: number) => `2026-11-20T06:00:0${second}.000Z`;

const missed = { status: 'not-answered', timeZone: 'UTC' };
const answered = { status: 'answered', timeZone: 'UTC', dispositions: ['Sale'], agentIds: ['1', '2'] };

/** What of an event does not hang on the order of processing, which a row does not remember. */
const contentOf = ({ type, key, detail }: BusEvent) => {
  const { occurredAt: _at, changedFields: _fields, replayedAt: _mark, ...content } = detail;
  return { type, key, content };
};

const kinds: readonly (readonly [string, fc.Arbitrary<Delivery>, RecordKey])[] = [
  ['call', callDelivery, callKey],
  ['participant', participantDelivery, participantKey],
];

describe('an event of a call that is told again', () => {
  it.each(kinds)(
    'is the one that was told of a %s, but for its mark, where deliveries were processed as they came',
    (_kind, delivery, key) => {
      holds(
        fc.property(fc.array(delivery, { minLength: 1, maxLength: 6 }), (deliveries) => {
          const changes = changesBy(deliveries.toSorted(byReceipt), key);
          const told = changes.flatMap((change) => callEventOf(change) ?? []).at(-1);

          expect(callEventOf(marked(lastRow(changes)))).toEqual({ ...told, detail: { ...told?.detail, replayedAt } });
        }),
        300,
      );
    },
  );

  it('has the same id, type, revision and content, in whatever order deliveries were processed', () => {
    holds(
      fc.property(fc.array(callDelivery, { minLength: 1, maxLength: 6 }), (deliveries) => {
        const changes = changesBy(deliveries);
        const told = changes.flatMap((change) => callEventOf(change) ?? []).at(-1);
        const again = callEventOf(marked(lastRow(changes)));

        expect(again && contentOf(again)).toEqual(told && contentOf(told));
        expect(Object.keys(again?.detail ?? {})).toEqual(expect.arrayContaining(Object.keys(told?.detail ?? {})));
      }),
    );
  });

  it('names what was parked, and so processed last, though it was received first', () => {
    const [rich, poor] = [deliveryOf(answered, at(0)), deliveryOf(missed, at(1))];
    const changes = changesBy([poor, rich]);
    const told = callEventOf(changes[1] as RowChange);

    expect(told?.detail).toMatchObject({ revision: 2, changedFields: ['agentIds', 'dispositions', 'status'] });
    expect(callEventOf(marked(lastRow(changes)))?.detail).toEqual({ ...told?.detail, replayedAt });
  });

  const row = lastRow(changesOf([missed, answered]));
  const told = { ...row, replayedAt };
  const [, , poorer] = changesOf([missed, answered, { ...missed, hangupBy: 'user' }, missed]);

  it('is told again for every mark, and once for each', () => {
    const later = '2026-11-22T10:00:00.000Z';

    expect(callEventOf(marked(told, later))?.detail).toMatchObject({ revision: 2, replayedAt: later });
    expect(callEventOf(marked(told))).toBeUndefined();
  });

  it.each([
    ['a row that is written anew, and so loses its mark', { sequence: '1', before: told, after: row }],
    ['a marked row that is written again as it is', { sequence: '1', before: told, after: told }],
    ['a marked row that expires', { sequence: '1', before: told }],
    ['a mark that is no instant', marked(row, 1 as never)],
    [
      'a mark on an entry by which a further agent finds the call',
      marked(agentEntriesOf(recordOf(row ?? {}), row ?? {})[0]),
    ],
  ])('is none for %s', (_title, change) => {
    expect(callEventOf(change)).toBeUndefined();
  });

  it('is none where a marked row gets a new revision: that is told for the first time', () => {
    const [, change] = changesOf([missed, answered]);
    const event = change && callEventOf({ ...change, before: { ...change.before, replayedAt } });

    expect(event?.detail).toMatchObject({ revision: 2 });
    expect(event?.detail).not.toHaveProperty('replayedAt');
  });

  it('is none where a marked row appears, as one restored from a backup does: that is told for the first time', () => {
    expect(callEventOf({ sequence: '1', after: told })?.detail).not.toHaveProperty('replayedAt');
  });

  it('changes nothing of what is known of the call: the mark is no fact, and the next delivery drops it', () => {
    expect(recordOf(told)).toEqual(recordOf(row ?? {}));
    expect(poorer?.after).not.toHaveProperty('replayedAt');
  });
});
