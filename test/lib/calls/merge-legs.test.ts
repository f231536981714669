import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeLegs } from '../../../lib/calls/call-record.ts';
import { callDelivery } from '../../support/arbitraries.ts';
import { deliveryAt } from '../../support/call-records.ts';
import { holds } from '../../support/property.ts';

const at = (second: number) => `2026-11-20T06:00:0${second}.000Z`;
const merged = (...facts: readonly object[]) =>
  mergeLegs(facts.map((each, second) => deliveryAt({ timeZone: 'UTC', ...each }, at(second))));

const missed = { ucid: 'b', status: 'not-answered', startedAt: at(1), agentIds: ['1001'] };
const answered = {
  ucid: 'a',
  status: 'answered',
  startedAt: at(5),
  agentIds: ['1002'],
  agentNames: ['Ravi'],
  recordings: ['https://r.example/1'],
};

describe('mergeLegs', () => {
  it('answers a call that was answered on any leg, with the agents of all', () => {
    expect(merged(answered, missed)).toEqual({
      ...answered,
      timeZone: 'UTC',
      agentIds: ['1001', '1002'],
      legs: [
        { ...missed, timeZone: 'UTC' },
        { ...answered, timeZone: 'UTC' },
      ],
    });
  });

  it.each([
    ['no delivery names one', [{ status: 'answered' }, { status: 'not-answered' }]],
    ['all name the same', [missed, { ...answered, ucid: 'b' }]],
    ['only some name one', [missed, { status: 'answered' }]],
  ])('lists no legs where %s', (_title, facts) => {
    expect(merged(...facts)).not.toHaveProperty('legs');
    expect(merged(...facts)).toMatchObject({ status: 'answered' });
  });

  it('has the agents of the whole call first, and counts no delivery without a UCID as a leg', () => {
    expect(merged(missed, { agentIds: ['1003'] }, answered)).toMatchObject({
      agentIds: ['1003', '1001', '1002'],
      legs: [{ ucid: 'b' }, { ucid: 'a' }],
    });
  });

  it('orders legs by their start, then by their ids; one without a start comes last', () => {
    const legs = merged({ ucid: '3' }, { ucid: '2', startedAt: at(2) }, { ucid: '1', startedAt: at(2) }, missed)[
      'legs'
    ];

    expect(legs).toMatchObject([{ ucid: 'b' }, { ucid: '1' }, { ucid: '2' }, { ucid: '3' }]);
  });

  it('merges what is delivered about one leg as a call of its own', () => {
    expect(merged(missed, { ...answered, recordings: undefined, ucid: 'b' }, answered)['legs']).toMatchObject([
      { ucid: 'a' },
      { ucid: 'b', status: 'answered', agentIds: ['1002'] },
    ]);
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
