import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../lib/agents/diff-agents.ts';
import { agentFacts, loggedIn, moment } from '../../support/agents.ts';

const facts = agentFacts();

/** The change after a state has lasted from one instant to another. */
const changeAfter = (zone: string, start: string, at: string, state = 'READY') =>
  changeOf(loggedIn(start, {}, zone), agentFacts({ AgentState: state }), moment(at, zone));

/** Intervals as [from, to, seconds]. */
const intervalsIn = (change: ReturnType<typeof changeOf>) =>
  change?.timeline.map(({ from, to, seconds }) => [from, to, seconds]);

describe('a state that lasts over midnight', () => {
  it.each<[string, string, string, string, readonly (readonly [midnight: string, seconds: number])[]]>([
    [
      'an ordinary night',
      'Asia/Kolkata',
      '2026-11-20T18:29:50.000Z',
      '2026-11-20T18:30:05.000Z',
      [['2026-11-20T18:30:00.000Z', 10]],
    ],
    [
      'a poll exactly at midnight',
      'Asia/Kolkata',
      '2026-11-20T18:29:50.000Z',
      '2026-11-20T18:30:00.000Z',
      [['2026-11-20T18:30:00.000Z', 10]],
    ],
    [
      'several days at once, after a time without polls',
      'Asia/Kolkata',
      '2026-11-20T06:00:00.000Z',
      '2026-11-22T19:00:00.000Z',
      [
        ['2026-11-20T18:30:00.000Z', 45_000],
        ['2026-11-21T18:30:00.000Z', 86_400],
        ['2026-11-22T18:30:00.000Z', 86_400],
      ],
    ],
    [
      'a day of 23 hours',
      'Europe/London',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T23:30:00.000Z',
      [
        ['2026-03-29T00:00:00.000Z', 3_600],
        ['2026-03-29T23:00:00.000Z', 82_800],
      ],
    ],
    [
      'a day of 25 hours',
      'Europe/London',
      '2026-10-24T23:00:00.000Z',
      '2026-10-26T00:00:00.000Z',
      [['2026-10-26T00:00:00.000Z', 90_000]],
    ],
    [
      'a night whose midnight is skipped',
      'Africa/Cairo',
      '2026-04-23T21:59:00.000Z',
      '2026-04-23T22:01:00.000Z',
      [['2026-04-23T22:00:00.000Z', 60]],
    ],
  ])('begins a new interval at each midnight: %s', (_title, zone, start, at, nights) => {
    const change = changeAfter(zone, start, at);
    const midnights = nights.map(([midnight]) => midnight);

    expect(intervalsIn(change)).toEqual([
      ...nights.map(([midnight, seconds], index) => [midnights[index - 1] ?? start, midnight, seconds]),
      [midnights.at(-1), undefined, undefined],
    ]);
    expect(change?.timeline.map(({ since }) => since)).toEqual(Array(nights.length + 1).fill(start));
  });

  it('changes nothing else of the agent: version, since and recordedAt stay', () => {
    const before = loggedIn('2026-11-20T18:29:50.000Z');
    const after = changeOf(before, facts, moment('2026-11-20T18:30:05.000Z'))?.after;

    expect(after).toEqual({ ...before, intervalFrom: '2026-11-20T18:30:00.000Z' });
  });

  it('has no new interval at a midnight that is the log-in', () => {
    expect(changeAfter('Asia/Kolkata', '2026-11-20T18:30:00.000Z', '2026-11-20T18:30:15.000Z')).toBeUndefined();
  });

  it('changes details and the day at once', () => {
    const before = loggedIn('2026-11-20T18:29:50.000Z');
    const change = changeOf(before, agentFacts({ AgentName: 'Asha' }), moment('2026-11-20T18:30:05.000Z'));

    expect(change?.after).toMatchObject({ name: 'Asha', version: 2, intervalFrom: '2026-11-20T18:30:00.000Z' });
    expect(change?.timeline).toHaveLength(2);
  });
});

describe('a state that ends on a later day', () => {
  it.each([
    [
      'is divided at midnight, and the next state begins with the poll',
      '2026-11-20T18:30:05.000Z',
      [['2026-11-20T18:30:00.000Z', '2026-11-20T18:30:05.000Z', 5]],
    ],
    ['has no empty interval where it ends exactly at midnight', '2026-11-20T18:30:00.000Z', []],
  ])('%s', (_title, at, secondDay) => {
    expect(intervalsIn(changeAfter('Asia/Kolkata', '2026-11-20T18:29:50.000Z', at, 'ACW'))).toEqual([
      ['2026-11-20T18:29:50.000Z', '2026-11-20T18:30:00.000Z', 10],
      ...secondDay,
      [at, undefined, undefined],
    ]);
  });

  it('is divided at midnight by a log-out too', () => {
    const change = changeOf(loggedIn('2026-11-20T18:29:50.000Z'), undefined, moment('2026-11-20T18:30:05.000Z'));

    expect(change?.timeline.map(({ from, seconds }) => [from, seconds])).toEqual([
      ['2026-11-20T18:29:50.000Z', 10],
      ['2026-11-20T18:30:00.000Z', 5],
    ]);
  });

  it('is not divided again at a midnight that an earlier poll has handled', () => {
    const split = changeOf(loggedIn('2026-11-20T18:29:50.000Z'), facts, moment('2026-11-20T18:30:05.000Z'))?.after;
    const change = changeOf(split, agentFacts({ AgentState: 'ACW' }), moment('2026-11-20T18:30:20.000Z'));

    expect(change?.timeline.map(({ from, to, since }) => [from, to, since])).toEqual([
      ['2026-11-20T18:30:00.000Z', '2026-11-20T18:30:20.000Z', '2026-11-20T18:29:50.000Z'],
      ['2026-11-20T18:30:20.000Z', undefined, '2026-11-20T18:30:20.000Z'],
    ]);
  });

  it('has a first interval longer than a day after more than a month without polls', () => {
    const change = changeAfter('UTC', '2026-01-01T00:00:00.000Z', '2026-06-01T12:00:00.000Z', 'ACW');
    const intervals = intervalsIn(change) ?? [];

    expect(intervals).toHaveLength(33);
    expect(intervals[0]).toEqual(['2026-01-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z', 121 * 86_400]);
  });
});
