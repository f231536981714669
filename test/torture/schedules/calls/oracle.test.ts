import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../../lib/record/delivery.ts';
import { factsBy } from '../../../../torture/schedules/calls/oracle.ts';

const saidInTurn = (facts: readonly Facts[]) =>
  facts.map((each, second) => ({ id: String(second), receivedAt: `2026-11-20T06:00:0${second}.000Z`, facts: each }));

const automatic = ['Wrap up time exceeded :120'];
const answered = { status: 'answered' };
const missed = { status: 'not-answered' };
const [first, second] = ['https://r.example/1.mp3', 'https://r.example/2.mp3'];
const early = '2026-11-20T05:30:00.000Z';
const late = '2026-11-20T05:32:00.000Z';

interface Case {
  readonly what: string;
  readonly kind?: 'participant';
  /** In the order of their receipt. */
  readonly said: readonly Facts[];
  readonly stands: Facts;
}

const cases: readonly Case[] = [
  { what: 'one delivery stands as it is', said: [{ a: 1 }], stands: { a: 1 } },
  { what: 'of equally rich ones the later stands', said: [{ a: 1 }, { a: 2 }], stands: { a: 2 } },
  { what: 'a value does not yield to a blank', said: [{ a: 1, b: 1 }, { a: 2 }], stands: { a: 2, b: 1 } },
  {
    what: 'answered beats not answered, with all it says',
    said: [
      { ...answered, a: 1 },
      { ...missed, a: 2, b: 2 },
    ],
    stands: { ...answered, a: 1, b: 2 },
  },
  { what: 'not answered beats no status', said: [{ ...missed, a: 1 }, { a: 2 }], stands: { ...missed, a: 1 } },
  {
    what: 'an automatic disposition yields to a real one, though a poorer delivery has it',
    said: [
      { ...missed, dispositions: ['Sale'] },
      { ...answered, dispositions: automatic },
    ],
    stands: { ...answered, dispositions: ['Sale'] },
  },
  {
    what: 'a list with one real disposition is real',
    said: [{ dispositions: [...automatic, 'Sale'] }, { dispositions: automatic }],
    stands: { dispositions: [...automatic, 'Sale'] },
  },
  {
    what: 'recordings add up in the order of receipt, each once',
    said: [{ recordings: [second] }, { recordings: [first, second] }],
    stands: { recordings: [second, first] },
  },
  {
    what: 'one with a recording is richer than one without',
    said: [{ conferenceRecordings: [first], a: 1 }, { a: 2 }],
    stands: { conferenceRecordings: [first], a: 1 },
  },
  {
    what: 'a word as sent goes with its field',
    said: [{ x: 'unknown', xAsSent: 'Fail' }, { x: 'online' }],
    stands: { x: 'online' },
  },
  {
    what: 'undocumented fields are weighed one by one',
    said: [{ extra: { p: '1', q: '1' } }, { extra: { q: '2' } }],
    stands: { extra: { p: '1', q: '2' } },
  },
  {
    what: 'notes come from where their field does',
    said: [{ a: 1, notes: [{ field: 'a', reason: 'over-long' }] }, { a: 2 }],
    stands: { a: 2 },
  },
  {
    what: 'a field that could not be read anywhere keeps its note',
    said: [{ notes: [{ field: 'a', reason: 'unparsable-time' }] }, { b: 1 }],
    stands: { b: 1, notes: [{ field: 'a', reason: 'unparsable-time' }] },
  },
  {
    what: 'the time between start and end is worked out, whoever said them',
    said: [{ startedAt: early }, { endedAt: late }],
    stands: { startedAt: early, endedAt: late, elapsedSeconds: 120 },
  },
  {
    what: 'an end before the start is noted',
    said: [{ startedAt: late, endedAt: early }],
    stands: { startedAt: late, endedAt: early, notes: [{ field: 'endedAt', reason: 'end-before-start' }] },
  },
  {
    what: 'a participation that has ended is richer',
    kind: 'participant',
    said: [
      { endedAt: late, a: 1 },
      { a: 2, recordings: [first] },
    ],
    stands: { endedAt: late, a: 1, recordings: [first] },
  },
];

describe('what stands by guarantee 3', () => {
  it.each(cases)('$what', ({ kind, said, stands }) => {
    const deliveries = saidInTurn(said);

    expect(factsBy(kind ?? 'call', deliveries)).toEqual(stands);
    expect(factsBy(kind ?? 'call', deliveries.toReversed())).toEqual(stands);
  });

  it('goes by the id where two were received in the same instant', () => {
    const receivedAt = early;
    const said = [
      { id: 'b', receivedAt, facts: { a: 'b' } },
      { id: 'a', receivedAt, facts: { a: 'a' } },
    ];

    expect(factsBy('call', said)).toEqual({ a: 'b' });
  });
});
