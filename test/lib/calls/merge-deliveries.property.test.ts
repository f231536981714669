import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallRecord, type RecordKey, withDerived } from '../../../lib/calls/call-record.ts';
import { byReceipt, type Delivery, type RecordFacts } from '../../../lib/calls/merge-deliveries.ts';
import { applyDeliveries } from '../../../lib/calls/record-delivery.ts';
import { callDelivery, holds, participantDelivery } from '../../support/arbitraries.ts';
import { callKey, participantKey, recordFrom } from '../../support/posted-records.ts';

describe('applyDeliveries, for generated deliveries', () => {
  const kinds: readonly (readonly [string, fc.Arbitrary<Delivery>, RecordKey])[] = [
    ['call', callDelivery, callKey],
    ['participant', participantDelivery, participantKey],
  ];

  const several = (delivery: fc.Arbitrary<Delivery>) => fc.array(delivery, { minLength: 1, maxLength: 6 });

  const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

  /** The same deliveries again: some repeated, later or earlier than the first time, in any order. */
  const redelivered = (delivery: fc.Arbitrary<Delivery>) =>
    several(delivery).chain((once) =>
      fc.record({
        once: fc.constant(once),
        again: fc.array(fc.nat({ max: once.length - 1 }), { maxLength: 6 }).chain((repeats) => {
          const all = [...once, ...repeats.flatMap((index) => once[index] ?? [])];
          return fc.shuffledSubarray(all, { minLength: all.length });
        }),
      }),
    );

  describe('the record of a call of which callbacks and the report tell', () => {
    const source = fc.constantFrom(undefined, 'report' as const);
    const fromEither = several(
      fc
        .tuple(callDelivery, source)
        .map(([one, from]) => (from === undefined ? one : { ...one, id: `report ${one.id}`, source: from })),
    );

    it('is the same in whatever order they are processed, once the report is read again', () => {
      holds(
        fc.property(
          fromEither.chain((once) => fc.tuple(fc.constant(once), fc.shuffledSubarray([...once, ...once]))),
          ([once, processed]) => {
            const inOrder = once.toSorted(byReceipt);
            const expected = recordFrom(inOrder, callKey);
            const actual = recordFrom([...processed, ...inOrder], callKey);

            expect(actual.facts).toEqual(expected.facts);
            expect(actual.deliveries).toEqual(expected.deliveries);
          },
        ),
        500,
      );
    });

    it('has every value that callbacks gave, and theirs where only one of them can stand', () => {
      // Notes and words as sent belong to the value that stands.
      const ofCallbacks = (own: RecordFacts) => Object.entries(own).filter(([field]) => !/^notes$|AsSent$/.test(field));
      const addsUp = /^(dispositions|recordings|conferenceRecordings|agent(Id|Name|UniqueId)s|legs|extra)$/;
      // Where no callback knows of an answer, the report may have it, with what it brings.
      const comesWithAnAnswer = /^(status|startedAt|endedAt|callDurationSeconds|customerStatuses|agentPhoneNumber)$/;
      holds(
        fc.property(fromEither, (told) => {
          const callbacks = told.filter((one) => !('source' in one));
          fc.pre(callbacks.length > 0);
          const [own, all] = [recordFrom(callbacks, callKey).facts, recordFrom(told, callKey).facts];

          for (const [field, value] of ofCallbacks(own)) {
            expect(all).toHaveProperty(field);
            const isAnsweredByReport = own['status'] !== 'answered' && all['status'] === 'answered';
            if (addsUp.test(field) || (isAnsweredByReport && comesWithAnAnswer.test(field))) continue;
            expect(all[field]).toEqual(value);
          }
        }),
        500,
      );
    });
  });

  describe.each(kinds)('the record of a %s', (_kind, delivery, key) => {
    it('depends on the set of deliveries, not on order and repetition', () => {
      holds(
        fc.property(redelivered(delivery), ({ once, again }) => {
          const expected = recordFrom(once, key);
          const actual = recordFrom(again, key);

          expect(actual.facts).toEqual(expected.facts);
          expect(actual.deliveries).toEqual(expected.deliveries);
        }),
        500,
      );
    });

    it('depends on the first receipt of each delivery, whenever a repeat is processed', () => {
      holds(
        fc.property(several(delivery), fc.array(fc.nat({ max: 40 }), { maxLength: 6 }), (once, delays) => {
          const late = once.flatMap((first, index) => {
            const delay = delays[index];
            if (delay === undefined) return [];
            return [{ ...first, receivedAt: new Date(Date.parse(first.receivedAt) + delay * 1000).toISOString() }];
          });

          expect(recordFrom([...late, ...once], key).facts).toEqual(recordFrom(once, key).facts);
          expect(recordFrom([...once, ...late], key).facts).toEqual(recordFrom(once, key).facts);
        }),
        300,
      );
    });

    it('is after one delivery the same as after two with these facts', () => {
      holds(
        fc.property(delivery, (told) => {
          const twice = recordFrom([told, { ...told, id: `${told.id} again` }], key);

          expect(recordFrom([told], key).facts).toEqual(twice.facts);
        }),
        500,
      );
    });

    it('keeps every distinct delivery unchanged, the first received first', () => {
      holds(
        fc.property(redelivered(delivery), ({ once, again }) => {
          const { deliveries } = recordFrom(again, key);

          expect(deliveries).toEqual([...deliveries].sort(byReceipt));
          expect(new Set(deliveries.map(({ id }) => id))).toEqual(new Set(once.map(({ id }) => id)));
          for (const { id, facts } of once) expect(deliveries.find((kept) => kept.id === id)?.facts).toEqual(facts);
        }),
      );
    });

    it('never replaces a value by a blank', () => {
      holds(
        fc.property(several(delivery), (deliveries) => {
          const facts = withDerived(recordFrom(deliveries, key).facts);
          const said = new Set(deliveries.flatMap((one) => Object.keys(one.facts)));

          for (const field of said)
            if (!field.endsWith('AsSent') && field !== 'notes') expect(facts).toHaveProperty(field);
        }),
      );
    });

    it('takes every value from one of the deliveries', () => {
      holds(
        fc.property(several(delivery), (deliveries) => {
          const {
            notes: _notes,
            extra: _extra,
            recordings: _r,
            conferenceRecordings: _c,
            ...facts
          } = recordFrom(deliveries, key).facts;

          for (const [field, value] of Object.entries(facts))
            expect(deliveries.map((one) => one.facts[field])).toContainEqual(value);
        }),
      );
    });

    it('has the recordings of all deliveries', () => {
      holds(
        fc.property(several(delivery), (deliveries) => {
          const { facts } = recordFrom(deliveries, key);

          for (const field of ['recordings', 'conferenceRecordings']) {
            const said = new Set(deliveries.flatMap((one) => listOf(one.facts[field])));
            expect(new Set(listOf(facts[field]))).toEqual(said);
            expect(listOf(facts[field])).toHaveLength(said.size);
          }
        }),
      );
    });

    it('counts a revision for each change of the facts, and a version for each write', () => {
      holds(
        fc.property(several(delivery), (deliveries) => {
          deliveries.reduce<CallRecord | undefined>((known, one) => {
            const { outcome, record } = applyDeliveries(key, known, [one], one.receivedAt);
            const isSame = known !== undefined && isDeepStrictEqual(known.facts, record.facts);

            expect(record.revision).toBe((known?.revision ?? 0) + Number(!isSame));
            expect(record.version - (known?.version ?? 0)).toBe(Number(record !== known));
            expect(outcome).toBe(known?.deliveries.some(({ id }) => id === one.id) ? 'duplicate' : 'stored');
            return record;
          }, undefined);
        }),
      );
    });
  });
});

describe('the record of a call', () => {
  const severalCalls = fc.array(callDelivery, { minLength: 1, maxLength: 6 });

  const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const isAutomatic = (disposition: unknown) => /^wrap up time exceeded/i.test(String(disposition));
  const hasOwnDisposition = ({ dispositions }: RecordFacts) => listOf(dispositions).some((one) => !isAutomatic(one));

  it('never replaces answered by not answered', () => {
    holds(
      fc.property(severalCalls, (deliveries) => {
        const said = new Set(deliveries.map(({ facts }) => facts['status']));
        const best = ['answered', 'not-answered', 'unknown', undefined].find((status) => said.has(status));

        expect(recordFrom(deliveries).facts['status']).toBe(best);
      }),
    );
  });

  it('always replaces the automatic disposition by the agent’s own', () => {
    holds(
      fc.property(severalCalls, (deliveries) => {
        expect(hasOwnDisposition(recordFrom(deliveries).facts)).toBe(
          deliveries.some(({ facts }) => hasOwnDisposition(facts)),
        );
      }),
    );
  });
});
