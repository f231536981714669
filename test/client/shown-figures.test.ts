import { describe, expect, it } from 'vitest';
import { agentFigures } from '../../client/agent-figures.ts';
import { type CallToCount, callFigures, callFiguresBy } from '../../client/index.ts';
import {
  answeredByOthers,
  besideOf,
  columnsOf,
  type Figures,
  figuresOf,
  largestFigures,
  noteOf,
  targetFigures,
  unknownReasons,
} from '../../client/shown-figures.ts';

const startedAt = '2026-11-21T06:00:00.000Z';
const call = (seconds: number, facts: Partial<CallToCount>): CallToCount => ({
  listedAt: startedAt,
  startedAt,
  endedAt: new Date(Date.parse(startedAt) + seconds * 1_000).toISOString(),
  type: 'inbound',
  ...facts,
});
const answered = (timeToAnswerSeconds: number, durationSeconds: number) =>
  call(timeToAnswerSeconds + durationSeconds, {
    status: 'answered',
    agentIds: ['asha'],
    timeToAnswerSeconds,
    durationSeconds,
  });
const missed = (seconds: number) => call(seconds, { status: 'not-answered', hangupBy: 'user', agentIds: ['omar'] });
const undecided = call(5, { status: 'unknown' });

const settings = { shortSeconds: 10, withinSeconds: 20 };
const figures = (calls: readonly CallToCount[]): Figures => ({ calls: callFigures(calls, settings) });
const day = figures([answered(5, 60), answered(9, 100), answered(31, 200), missed(3), missed(40)]);
const asha = { agentId: 'asha', secondsByState: { ready: 300, 'in-call': 100 } };

/** What is shown of a figure besides its value. */
const besides = (shown: Figures) =>
  figuresOf(shown).flatMap(({ name, share, otherStatistic: other }) => [
    ...(share === undefined ? [] : [`${name}: share ${share}`]),
    ...(other === undefined ? [] : [`${name}: ${other.statistic} ${other.value}`]),
  ]);

describe('the figures that are shown', () => {
  it('are those of calls, then those of agents where a group has agents', () => {
    const names = (shown: Figures) => figuresOf(shown).map(({ name }) => name);
    const ofAgents = ['loggedInSeconds', 'handlingSeconds', 'availableSeconds', 'occupancy'];

    expect(names(day).slice(0, 2)).toEqual(['calls', 'offered']);
    expect(names({ ...day, agents: agentFigures([asha]) })).toEqual([...names(day), ...ofAgents]);
  });

  it('have their values and declarations', () => {
    const shown = figuresOf({ ...day, agents: agentFigures([asha]) });
    const lines = shown.map(({ declaration, figure }) => `${declaration.title}: ${figure.value}`);

    expect(lines).toEqual(expect.arrayContaining(['Answered: 3', 'Talk, total: 360', 'Occupancy: 0.25']));
  });

  it('have the share of answered and missed calls, and the average beside a median', () => {
    expect(besides(day)).toEqual([
      'answered: share 0.6',
      'missed: share 0.4',
      'timeToAnswerMedianSeconds: average 15',
      'timeToAnswerAverageSeconds: median 9',
      'talkMedianSeconds: average 120',
      'talkAverageSeconds: median 100',
    ]);
  });

  it('have no share and no other statistic where there is nothing to divide, or nothing is known', () => {
    expect(besides(figures([]))).toEqual([]);
    expect(besides(figures([undecided]))).toEqual([]);
  });

  it('are large, and have targets, where that is declared', () => {
    expect(largestFigures).toEqual([
      'offered',
      'answered',
      'serviceLevel',
      'abandonment',
      'timeToAnswerAverageSeconds',
      'handleAverageSeconds',
    ]);
    expect(targetFigures).toEqual(['serviceLevel', 'abandonment']);
  });

  it('of an agent have the calls that others answered', () => {
    const legs = [
      { agentIds: ['asha'], status: 'answered' },
      { agentIds: ['omar'], status: 'not-answered' },
    ] as const;
    const taken = { ...answered(5, 60), agentIds: ['asha', 'omar'], legs };
    const omar = callFiguresBy('agent', [taken, missed(40)], settings).find(({ key }) => key === 'omar');
    if (omar === undefined) throw new Error('Omar has no figures');

    expect(answeredByOthers({ calls: omar.figures })).toMatchObject({
      name: 'answeredByOthers',
      declaration: { title: 'Answered by others' },
      figure: { value: 1, calls: 2, of: 2 },
    });
  });
});

describe('what stands beside a figure', () => {
  const beside = (shown: Figures) =>
    figuresOf(shown).flatMap((figure) => {
      const parts = besideOf(figure, shown, settings);
      const words = parts.map((part) =>
        typeof part === 'string' ? part : `${part.count} ${part.text} [${part.counts}]`,
      );
      return parts.length === 0 ? [] : [`${figure.name}${words.join('')}`];
    });

  it.each<[string, Figures, readonly string[]]>([
    [
      'some of each',
      day,
      [
        'serviceLevel, within 20 s; 1 later [answeredLate]',
        'abandonment, 1 gave up [givenUp]; 1 more [shortAbandoned] hung up in under 10 s and is not counted',
      ],
    ],
    [
      'two short ones',
      figures([missed(3), missed(4), missed(40)]),
      [
        'serviceLevel, within 20 s',
        'abandonment, 1 gave up [givenUp]; 2 more [shortAbandoned] hung up in under 10 s and are not counted',
      ],
    ],
    [
      'no short one',
      figures([answered(5, 60), missed(40)]),
      ['serviceLevel, within 20 s', 'abandonment, 1 gave up [givenUp]'],
    ],
    ['nobody knows', figures([undecided]), ['serviceLevel, within 20 s']],
  ])('%s', (_title, shown, expected) => {
    expect(beside(shown)).toEqual(expected);
  });
});

describe('the columns of a table', () => {
  const always = ['Calls', 'Offered', 'Answered (%)', 'Missed (%)'];
  const rates = ['Service level', 'Answered late', 'Abandonment'];
  const durations = ['Time to answer', 'Handle time', 'Talk', 'Hold', 'Wrap-up'].map(
    (name) => `${name}, median / average`,
  );
  const withOthers = (shown: Figures) => [...figuresOf(shown), answeredByOthers(shown)];

  it.each([
    ['of calls', [figuresOf(day), figuresOf(figures([]))], [...always, ...rates, ...durations]],
    [
      'of agents',
      [withOthers({ ...day, agents: agentFigures([asha]) }), figuresOf(figures([]))],
      [
        'Calls',
        'Offered',
        'Answered (%)',
        'Answered by others',
        'Missed (%)',
        ...rates,
        ...durations,
        'Logged in',
        'Occupancy',
      ],
    ],
    [
      'without a call that was answered or missed',
      [figuresOf(figures([])), figuresOf(figures([undecided]))],
      ['Calls', 'Offered', 'Answered', 'Missed', 'Undecided', ...rates, ...durations],
    ],
    ['of no group', [], []],
  ])('%s', (_title, groups, expected) => {
    expect(columnsOf(groups).map(({ title }) => title)).toEqual(expected);
  });

  it('have the names of their figures', () => {
    expect(columnsOf([figuresOf(day)]).map(({ name }) => name)).toContain('timeToAnswerMedianSeconds');
  });
});

describe('the note of a figure', () => {
  it.each([
    ['known of some calls', { value: 1, calls: 3, of: 5 }, 'known of 3 of 5 calls'],
    ['known of all', { value: 1, calls: 5, of: 5 }, ''],
    ['of time', { value: 1 }, ''],
    ['not known', { value: undefined, reason: 'No call was handled.' }, 'No call was handled.'],
  ])('%s', (_title, figure, expected) => {
    expect(noteOf(figure)).toBe(expected);
  });

  it('names each reason once, whichever group has it', () => {
    const reasons = unknownReasons([day, figures([]), { ...figures([]), agents: agentFigures([]) }]);

    expect(reasons).toEqual([...new Set(reasons)]);
    expect(reasons).toEqual(
      expect.arrayContaining([
        'No handled call has holdSeconds, or several agents share it.',
        'No call was handled.',
        'No interval is stored: nobody was logged in or polled, or intervals have expired.',
      ]),
    );
  });
});
