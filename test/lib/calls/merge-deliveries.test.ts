import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallRecord, mergeLegs, withDerived } from '../../../lib/calls/call-record.ts';
import {
  byReceipt,
  callMergeRules,
  changedFields,
  type Delivery,
  participantMergeRules,
  type RecordFacts,
} from '../../../lib/calls/merge-deliveries.ts';
import { applyDeliveries } from '../../../lib/calls/record-delivery.ts';
import { callDelivery, holds, mergedInAnyOrder, participantDelivery } from '../../support/arbitraries.ts';
import { callKey, deliveryAt, participantKey, recordFrom } from '../../support/posted-records.ts';

describe('changedFields', () => {
  it.each([
    ['a new one', {}, { a: 1 }, ['a']],
    ['one that is gone', { a: 1 }, {}, ['a']],
    ['one that is different', { a: 1 }, { a: 2 }, ['a']],
    ['several in alphabetical order', { c: 1, a: 1 }, { b: 1, a: 2 }, ['a', 'b', 'c']],
    ['a list in another order', { a: ['1', '2'] }, { a: ['2', '1'] }, ['a']],
    ['none where keys stand in another order', { a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, []],
    ['a number that became text', { a: 1 }, { a: '1' }, ['a']],
  ])('names %s', (_title, before, after, expected) => {
    expect(changedFields(before, after)).toEqual(expected);
  });
});

const merged = (...said: readonly RecordFacts[]) => mergedInAnyOrder(callMergeRules, said);

const answered = { status: 'answered' };
const missed = { status: 'not-answered' };
const automatic = { dispositions: ['Wrap up time exceeded :120'] };
const sale = { dispositions: ['Sale'] };
const url = (number: number) => `https://r.example.com/${number}.mp3`;

const sold = { ...answered, ...sale };
const timedOut = { ...answered, ...automatic };
const recorded = { ...answered, recordings: [url(1)], location: 'b' };
const refund = { dispositions: ['Refund'] };
const first = { agentIds: ['1'] };
const second = { agentIds: ['2'] };
const inA = { location: 'a' };
const inB = { location: 'b' };
const ofFirst = { ...answered, ...first };
const laterInB = { ...answered, ...inB };

describe('merge', () => {
  it.each<[string, readonly [RecordFacts, RecordFacts], object]>([
    ['a disposition that follows', [answered, sold], sold],
    ['the agent’s disposition after the automatic one', [timedOut, sold], sale],
    ['the agent’s disposition before the automatic one', [sold, timedOut], sale],
    ['the agent’s disposition of a delivery poorer in all else', [timedOut, sale], sale],
    ['the agent’s disposition of a missed delivery', [timedOut, { ...missed, ...sale }], sale],
    ['the automatic disposition where there is no other', [answered, { ...missed, ...automatic }], automatic],
    ['answered, where it is not answered later', [answered, missed], answered],
    ['answered, where it was not answered before', [missed, answered], answered],
    ['answered, where a new word follows', [answered, { status: 'unknown', statusAsSent: 'Fail' }], answered],
    ['not answered, where a new word follows', [missed, { status: 'unknown', statusAsSent: 'Fail' }], missed],
    ['answered, where a recording comes with a missed one', [answered, { ...missed, recordings: [url(1)] }], answered],
    ['the later of two dispositions', [sold, { ...answered, ...refund }], refund],
    ['a value that a later one lacks', [{ ...answered, skillName: 'General' }, answered], { skillName: 'General' }],
    ['a value that only the poorer delivery has', [answered, { ...missed, location: 'Pune' }], { location: 'Pune' }],
    ['the richer delivery’s value', [ofFirst, { ...missed, ...second }], first],
    ['the value with a recording', [{ recordings: [url(1)], ...inA }, inB], inA],
    ['that with a recording, after an automatic one', [{ ...timedOut, ...inA }, recorded], { ...automatic, ...inB }],
    ['that with a recording, before one', [recorded, { ...timedOut, ...inA }], { ...automatic, ...inB }],
    ['the later value, after one', [{ ...timedOut, ...inA }, laterInB], { ...automatic, ...inB }],
    [
      'the zone in which the start was read, though a later delivery has another',
      [
        { startedAt: 'a', timeZone: 'Asia/Kolkata' },
        { endedAt: 'b', timeZone: 'Europe/London' },
      ],
      { startedAt: 'a', endedAt: 'b', timeZone: 'Asia/Kolkata' },
    ],
    [
      'what comes with an agent’s disposition, not with a recording',
      [{ ...sold, ...inA }, recorded],
      { ...sale, ...inA },
    ],
    ['that with a conference’s', [{ conferenceRecordings: [url(1)], ...inA }, inB], inA],
  ])('keeps %s', (_title, said, expected) => {
    expect(merged(...said)).toMatchObject(expected);
  });

  it('has a recording that was signed again once, with the link received last', () => {
    const signed = (nth: number) => `${url(1)}?sv=1&sig=${nth}`;

    expect(
      merged(
        { recordings: [signed(1), url(2)] },
        { ...answered, recordings: [signed(3)] },
        { recordings: [signed(2)] },
      ),
    ).toEqual({
      ...answered,
      recordings: [signed(2), url(2)],
    });
  });

  it('has the recordings of all deliveries in the order received, each once', () => {
    expect(
      merged(
        { ...missed, recordings: [url(2), url(1)] },
        { ...answered, recordings: [url(1), url(3)], conferenceRecordings: [url(9)] },
      ),
    ).toMatchObject({ recordings: [url(2), url(1), url(3)], conferenceRecordings: [url(9)] });
    expect(merged({ recordings: ['erased', 'erased'] })).toEqual({ recordings: ['erased'] });
  });

  it('keeps a word as sent with its field', () => {
    expect(merged({ status: 'unknown', statusAsSent: 'Fail' }, answered)).toEqual(answered);
    expect(merged({ ...answered, type: 'unknown', typeAsSent: 'Fax' }, { ...missed, type: 'inbound' })).toMatchObject({
      type: 'unknown',
      typeAsSent: 'Fax',
    });
  });

  it('keeps the notes of the deliveries that decide its values', () => {
    const odd = { field: 'startedAt', reason: 'ambiguous-local-time', asSent: 'x' };
    const overLong = { field: 'uui', reason: 'over-long' };

    expect(
      merged(
        { ...answered, startedAt: 'a', notes: [odd] },
        { ...missed, startedAt: 'b', uui: 'c', notes: [{ ...odd, asSent: 'y' }, overLong] },
      )['notes'],
    ).toEqual([odd, overLong]);
  });

  it('keeps the notes of all deliveries on a list that has the entries of all, each once', () => {
    const noLink = { field: 'recordings', reason: 'no-link', asSent: 'x' };
    const overLong = { field: 'recordings', reason: 'over-long' };
    const other = { ...noLink, asSent: 'y' };

    expect(
      merged(
        { ...answered, recordings: ['https://r/1'], notes: [overLong, noLink] },
        { ...missed, notes: [noLink] },
        { ...missed, recordings: ['https://r/2'], notes: [other] },
      )['notes'],
    ).toEqual([noLink, other, overLong]);
  });

  it('orders notes by field and reason', () => {
    const notes = [
      { field: 'uui', reason: 'over-long' },
      { field: 'uui', reason: 'not-a-scalar' },
      { field: 'comments', reason: 'over-long' },
    ];

    expect(merged({ uui: 'x', comments: ['y'], notes }, {})['notes']).toEqual(notes.toReversed());
  });

  it('drops the note on an unreadable value if another delivery has the value', () => {
    const unreadable = { field: 'endedAt', reason: 'unparsable-time', asSent: 'soon' };

    expect(merged({ ...answered, notes: [unreadable] }, { endedAt: 'b' })).not.toHaveProperty('notes');
    expect(merged({ ...answered, notes: [unreadable] }, answered)['notes']).toEqual([unreadable]);
  });

  it('joins the undocumented fields of all deliveries; the richer delivery decides', () => {
    expect(
      merged({ ...answered, extra: { a: '1', b: '1' } }, { ...missed, extra: { b: '2', c: '2' } })['extra'],
    ).toEqual({ a: '1', b: '1', c: '2' });
  });
});

const ended = { endedAt: 'a', exitStatus: 'x' };
const participants = (...said: readonly RecordFacts[]) => mergedInAnyOrder(participantMergeRules, said);

describe('the record of a participant', () => {
  it.each([
    ['an end, before an older copy', [ended, { exitStatus: 'y' }], ended],
    ['what comes with an end, not with a recording', [ended, { recordings: ['a'], exitStatus: 'y' }], ended],
    ['that with a recording', [{ recordings: ['a'], exitStatus: 'x' }, { exitStatus: 'y' }], { exitStatus: 'x' }],
    ['the recordings of all', [{ recordings: ['a'] }, { endedAt: 'b', recordings: ['c'] }], { recordings: ['a', 'c'] }],
    ['the later of two values', [{ exitStatus: 'x' }, { exitStatus: 'y' }], { exitStatus: 'y' }],
  ])('keeps %s', (_title, said, expected) => {
    expect(participants(...(said as RecordFacts[]))).toMatchObject(expected);
    const deliveries = said.map((facts, second) => deliveryAt(facts, at(second)));
    expect(recordFrom(deliveries, participantKey).facts).toMatchObject(expected);
  });
});

const at = (second: number) => `2026-11-20T06:00:0${second}.000Z`;
const mergedLegs = (...facts: readonly object[]) =>
  mergeLegs(facts.map((each, second) => deliveryAt({ timeZone: 'UTC', ...each }, at(second))));

const missedLeg = { ucid: 'b', status: 'not-answered', startedAt: at(1), agentIds: ['1001'] };
const answeredLeg = {
  ucid: 'a',
  status: 'answered',
  startedAt: at(5),
  agentIds: ['1002'],
  agentNames: ['Ravi'],
  recordings: ['https://r.example/1'],
};

describe('mergeLegs', () => {
  it('answers a call that was answered on any leg, with the agents of all', () => {
    expect(mergedLegs(answeredLeg, missedLeg)).toEqual({
      ...answeredLeg,
      timeZone: 'UTC',
      agentIds: ['1001', '1002'],
      legs: [
        { ...missedLeg, timeZone: 'UTC' },
        { ...answeredLeg, timeZone: 'UTC' },
      ],
    });
  });

  it('has neither an approximate time nor the note on it where a delivery knows a time', () => {
    const notes = ['approximateAt', 'uui'].map((field) => ({ field, reason: 'over-long' }));
    expect(mergedLegs({ approximateAt: at(1), notes }, answeredLeg)).toEqual({
      ...answeredLeg,
      timeZone: 'UTC',
      notes: notes.slice(1),
    });
  });

  it.each([
    ['no delivery names one', [{ status: 'answered' }, { status: 'not-answered' }]],
    ['all name the same', [missedLeg, { ...answeredLeg, ucid: 'b' }]],
    ['only some name one', [missedLeg, { status: 'answered' }]],
  ])('lists no legs where %s', (_title, facts) => {
    expect(mergedLegs(...facts)).not.toHaveProperty('legs');
    expect(mergedLegs(...facts)).toMatchObject({ status: 'answered' });
  });

  it('has the agents of the whole call first, and counts no delivery without a UCID as a leg', () => {
    expect(mergedLegs(missedLeg, { agentIds: ['1003'] }, answeredLeg)).toMatchObject({
      agentIds: ['1003', '1001', '1002'],
      legs: [{ ucid: 'b' }, { ucid: 'a' }],
    });
  });

  it('orders legs by their start, then by their ids; one without a start comes last', () => {
    const legs = mergedLegs({ ucid: '3' }, { ucid: '2', startedAt: at(2) }, { ucid: '1', startedAt: at(2) }, missedLeg)[
      'legs'
    ];

    expect(legs).toMatchObject([{ ucid: 'b' }, { ucid: '1' }, { ucid: '2' }, { ucid: '3' }]);
  });

  it('merges what is delivered about one leg as a call of its own', () => {
    expect(
      mergedLegs(missedLeg, { ...answeredLeg, recordings: undefined, ucid: 'b' }, answeredLeg)['legs'],
    ).toMatchObject([{ ucid: 'a' }, { ucid: 'b', status: 'answered', agentIds: ['1002'] }]);
  });

  it('lists a leg that the report calls by the id of the call', () => {
    const called = deliveryAt({ ucid: 'b' }, at(1));
    const reported = deliveryAt({ ucid: '1' }, at(2));

    expect(mergeLegs([called, { ...reported, source: 'report' }], '1')['legs']).toEqual([{ ucid: '1' }, { ucid: 'b' }]);
  });

  it('depends on the set of deliveries, and not on their order', () => {
    const legs = fc.array(fc.tuple(callDelivery, fc.constantFrom('a', 'b', undefined)), { minLength: 1, maxLength: 6 });
    holds(
      fc.property(legs, (pairs) => {
        const deliveries = pairs.map(([{ facts, receivedAt }, ucid]) =>
          deliveryAt(ucid === undefined ? facts : { ...facts, ucid }, receivedAt),
        );
        expect(mergeLegs(deliveries.toReversed())).toEqual(mergeLegs(deliveries));
      }),
    );
  });
});

const several = (delivery: fc.Arbitrary<Delivery>) => fc.array(delivery, { minLength: 1, maxLength: 6 });
const delays = fc.array(fc.nat({ max: 40 }), { maxLength: 6 });
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

type Promised = readonly [what: string, check: (record: CallRecord, said: readonly Delivery[]) => void];

const ofEveryRecord: readonly Promised[] = [
  [
    'depends on the set of deliveries, not on order and repetition',
    ({ key, facts, deliveries }, said) => expect({ facts, deliveries }).toEqual(pick(recordFrom(said, key))),
  ],
  [
    'keeps every distinct delivery unchanged, the first received first',
    ({ deliveries }, said) => {
      expect(deliveries).toEqual([...deliveries].sort(byReceipt));
      expect(new Set(deliveries.map(({ id }) => id))).toEqual(new Set(said.map(({ id }) => id)));
      for (const { id, facts } of said) expect(deliveries.find((kept) => kept.id === id)?.facts).toEqual(facts);
    },
  ],
  [
    'never replaces a value by a blank',
    (record, said) => {
      const facts = withDerived(record.facts);
      for (const field of new Set(said.flatMap((one) => Object.keys(one.facts))))
        if (!field.endsWith('AsSent') && field !== 'notes') expect(facts).toHaveProperty(field);
    },
  ],
  [
    'takes every value from one of the deliveries',
    ({ facts }, said) => {
      for (const [field, value] of Object.entries(facts))
        if (!/^(notes|extra|recordings|conferenceRecordings)$/.test(field))
          expect(said.map((one) => one.facts[field])).toContainEqual(value);
    },
  ],
  [
    'has the recordings of all deliveries',
    ({ facts }, said) => {
      for (const field of ['recordings', 'conferenceRecordings']) {
        const sent = new Set(said.flatMap((one) => listOf(one.facts[field])));
        expect(new Set(listOf(facts[field]))).toEqual(sent);
        expect(listOf(facts[field])).toHaveLength(sent.size);
      }
    },
  ],
];
const pick = ({ facts, deliveries }: CallRecord) => ({ facts, deliveries });

const isAutomatic = (disposition: unknown) => /^wrap up time exceeded/i.test(String(disposition));
const hasOwnDisposition = ({ facts }: { readonly facts: RecordFacts }) =>
  listOf(facts['dispositions']).some((one) => !isAutomatic(one));

const ofCalls: readonly Promised[] = [
  [
    'never replaces answered by not answered, whatever comes with it',
    ({ facts }, said) => {
      const sent = new Set(said.map((one) => one.facts['status']));
      expect(facts['status']).toBe(['answered', 'not-answered', 'unknown', undefined].find((one) => sent.has(one)));
    },
  ],
  [
    'always replaces the automatic disposition by the agent’s own',
    (record, said) => expect(hasOwnDisposition(record)).toBe(said.some(hasOwnDisposition)),
  ],
];

describe.each([
  ['call', callDelivery, callKey, [...ofEveryRecord, ...ofCalls]],
  ['participant', participantDelivery, participantKey, ofEveryRecord],
] as const)('the record of any deliveries of a %s', (_kind, delivery, key, promises) => {
  it.each(promises)('%s', (_what, check) => {
    holds(
      fc.property(redelivered(delivery), ({ once, again }) => {
        check(recordFrom(again, key), once);
      }),
      500,
    );
  });

  it('depends on the first receipt of each delivery, whenever a repeat is processed', () => {
    holds(
      fc.property(
        fc.record({ once: several(delivery), repeatedAfterSeconds: delays }),
        ({ once, repeatedAfterSeconds }) => {
          const repeats = once.flatMap((first, index) => {
            const delay = repeatedAfterSeconds[index];
            if (delay === undefined) return [];
            return [{ ...first, receivedAt: new Date(Date.parse(first.receivedAt) + delay * 1000).toISOString() }];
          });
          const { facts } = recordFrom(once, key);

          expect(recordFrom([...repeats, ...once], key).facts, 'the repeats are processed first').toEqual(facts);
          expect(recordFrom([...once, ...repeats], key).facts, 'the repeats are processed last').toEqual(facts);
        },
      ),
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
        const own = recordFrom(callbacks, callKey).facts;
        const all = recordFrom(told, callKey).facts;

        for (const [field, value] of ofCallbacks(own)) {
          expect(all).toHaveProperty(field);
          const isAnsweredByReport = own['status'] !== 'answered' && all['status'] === 'answered';
          if (addsUp.test(field) || (isAnsweredByReport && comesWithAnAnswer.test(field))) continue;
          expect(all[field], `${field}: the report must not overrule a callback`).toEqual(value);
        }
      }),
      500,
    );
  });

  it('keeps the start of a missed leg where a callback was answered without one and the report has another', () => {
    const told = [deliveryAt(answered, at(1)), deliveryAt({ ...missed, startedAt: 'b' }, at(2))];
    const reported = { ...deliveryAt({ ...answered, startedAt: 'c' }, at(3)), source: 'report' } as const;

    expect(recordFrom([...told, reported], callKey).facts).toMatchObject({ ...answered, startedAt: 'b' });
  });
});
