import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../lib/agents/diff-agents.ts';
import { agentFacts, loggedIn, moment } from '../../support/agents.ts';

const facts = agentFacts();

/** What an agent's timeline has once a state has gone on from one instant to another: pieces as [from, to, seconds]. */
const intervalsBetween = (zone: string, from: string, at: string, state = 'READY') => {
  const step = changeOf(loggedIn(from, {}, zone), { ...agentFacts({ AgentState: state }) }, moment(at, zone));
  return { step, pieces: step?.timeline.map((piece) => [piece.from, piece.to, piece.seconds]) };
};

describe('a state that goes on over midnight', () => {
  it.each<[string, string, string, string, readonly (readonly unknown[])[]]>([
    [
      'an ordinary night',
      'Asia/Kolkata',
      '2026-11-20T18:29:50.000Z',
      '2026-11-20T18:30:05.000Z',
      [
        ['2026-11-20T18:29:50.000Z', '2026-11-20T18:30:00.000Z', 10],
        ['2026-11-20T18:30:00.000Z', undefined, undefined],
      ],
    ],
    [
      'a poll exactly at midnight',
      'Asia/Kolkata',
      '2026-11-20T18:29:50.000Z',
      '2026-11-20T18:30:00.000Z',
      [
        ['2026-11-20T18:29:50.000Z', '2026-11-20T18:30:00.000Z', 10],
        ['2026-11-20T18:30:00.000Z', undefined, undefined],
      ],
    ],
    [
      'several days at once, after the poller stood still',
      'Asia/Kolkata',
      '2026-11-20T06:00:00.000Z',
      '2026-11-22T19:00:00.000Z',
      [
        ['2026-11-20T06:00:00.000Z', '2026-11-20T18:30:00.000Z', 45_000],
        ['2026-11-20T18:30:00.000Z', '2026-11-21T18:30:00.000Z', 86_400],
        ['2026-11-21T18:30:00.000Z', '2026-11-22T18:30:00.000Z', 86_400],
        ['2026-11-22T18:30:00.000Z', undefined, undefined],
      ],
    ],
    [
      'a day of 23 hours',
      'Europe/London',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T23:30:00.000Z',
      [
        ['2026-03-28T23:00:00.000Z', '2026-03-29T00:00:00.000Z', 3_600],
        ['2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z', 82_800],
        ['2026-03-29T23:00:00.000Z', undefined, undefined],
      ],
    ],
    [
      'a day of 25 hours',
      'Europe/London',
      '2026-10-24T23:00:00.000Z',
      '2026-10-26T00:00:00.000Z',
      [
        ['2026-10-24T23:00:00.000Z', '2026-10-26T00:00:00.000Z', 90_000],
        ['2026-10-26T00:00:00.000Z', undefined, undefined],
      ],
    ],
    [
      'a night whose midnight is skipped',
      'Africa/Cairo',
      '2026-04-23T21:59:00.000Z',
      '2026-04-23T22:01:00.000Z',
      [
        ['2026-04-23T21:59:00.000Z', '2026-04-23T22:00:00.000Z', 60],
        ['2026-04-23T22:00:00.000Z', undefined, undefined],
      ],
    ],
  ])('begins a new piece with the day: %s', (_title, zone, from, at, pieces) => {
    expect(intervalsBetween(zone, from, at).pieces).toEqual(pieces);
  });

  it('tells of no change: version, since and what was recorded stay', () => {
    const before = loggedIn('2026-11-20T18:29:50.000Z');
    const after = changeOf(before, facts, moment('2026-11-20T18:30:05.000Z'))?.after;

    expect(after).toEqual({ ...before, intervalFrom: '2026-11-20T18:30:00.000Z' });
  });

  it('is the same when it is taken again: nothing is left', () => {
    const at = moment('2026-11-20T18:30:05.000Z');
    const once = changeOf(loggedIn('2026-11-20T18:29:50.000Z'), facts, at)?.after;

    expect(changeOf(once, facts, at)).toBeUndefined();
  });

  it('does not begin a day anew that has begun with the log-in', () => {
    expect(
      intervalsBetween('Asia/Kolkata', '2026-11-20T18:30:00.000Z', '2026-11-20T18:30:15.000Z').step,
    ).toBeUndefined();
  });

  it('keeps on every piece since when the agent has been in the state', () => {
    const { step } = intervalsBetween('Asia/Kolkata', '2026-11-20T06:00:00.000Z', '2026-11-22T19:00:00.000Z');

    expect(step?.timeline.map(({ since }) => since)).toEqual(Array(4).fill('2026-11-20T06:00:00.000Z'));
  });

  it('takes new details over midnight with it', () => {
    const before = loggedIn('2026-11-20T18:29:50.000Z');
    const step = changeOf(before, agentFacts({ AgentName: 'Asha' }), moment('2026-11-20T18:30:05.000Z'));

    expect(step?.after).toMatchObject({ name: 'Asha', version: 2, intervalFrom: '2026-11-20T18:30:00.000Z' });
    expect(step?.timeline).toHaveLength(2);
  });
});

describe('a state that ends on another day than it began', () => {
  it('is cut at each midnight, and the new one begins with the poll', () => {
    expect(
      intervalsBetween('Asia/Kolkata', '2026-11-20T18:29:50.000Z', '2026-11-20T18:30:05.000Z', 'ACW').pieces,
    ).toEqual([
      ['2026-11-20T18:29:50.000Z', '2026-11-20T18:30:00.000Z', 10],
      ['2026-11-20T18:30:00.000Z', '2026-11-20T18:30:05.000Z', 5],
      ['2026-11-20T18:30:05.000Z', undefined, undefined],
    ]);
  });

  it('has no empty piece where it ends exactly at midnight', () => {
    expect(
      intervalsBetween('Asia/Kolkata', '2026-11-20T18:29:50.000Z', '2026-11-20T18:30:00.000Z', 'ACW').pieces,
    ).toEqual([
      ['2026-11-20T18:29:50.000Z', '2026-11-20T18:30:00.000Z', 10],
      ['2026-11-20T18:30:00.000Z', undefined, undefined],
    ]);
  });

  it('is cut at midnight by a log-out too', () => {
    const step = changeOf(loggedIn('2026-11-20T18:29:50.000Z'), undefined, moment('2026-11-20T18:30:05.000Z'));

    expect(step?.timeline.map(({ from, seconds }) => [from, seconds])).toEqual([
      ['2026-11-20T18:29:50.000Z', 10],
      ['2026-11-20T18:30:00.000Z', 5],
    ]);
  });

  it('goes on from the day that was begun: what was rolled over is not cut again', () => {
    const rolled = changeOf(loggedIn('2026-11-20T18:29:50.000Z'), facts, moment('2026-11-20T18:30:05.000Z'))?.after;
    const step = changeOf(rolled, agentFacts({ AgentState: 'ACW' }), moment('2026-11-20T18:30:20.000Z'));

    expect(step?.timeline.map(({ from, to, since }) => [from, to, since])).toEqual([
      ['2026-11-20T18:30:00.000Z', '2026-11-20T18:30:20.000Z', '2026-11-20T18:29:50.000Z'],
      ['2026-11-20T18:30:20.000Z', undefined, '2026-11-20T18:30:20.000Z'],
    ]);
  });

  it('has a first piece longer than a day where nobody polled for more than a month', () => {
    const { pieces = [] } = intervalsBetween('UTC', '2026-01-01T00:00:00.000Z', '2026-06-01T12:00:00.000Z', 'ACW');

    expect(pieces).toHaveLength(33);
    expect(pieces[0]).toEqual(['2026-01-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z', 121 * 86_400]);
  });
});
