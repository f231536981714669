import { describe, expect, it } from 'vitest';
import { callFigureDeclarations } from '../../client/call-figures.ts';
import { figureChange, pointsFromTarget } from '../../client/compared-figures.ts';

const { answered, missed, offered, serviceLevel, abandonment, timeToAnswerAverageSeconds } = callFigureDeclarations;

describe('the difference from an earlier figure', () => {
  it.each([
    ['more answered calls are better', answered, 120, 100, { by: 20, isBetter: true }],
    ['fewer answered calls are worse', answered, 100, 120, { by: -20, isBetter: false }],
    ['fewer missed calls are better', missed, 1, 3, { by: -2, isBetter: true }],
    ['more offered calls are neither', offered, 300, 200, { by: 100, isBetter: undefined }],
    ['the same is neither', missed, 3, 3, { by: 0, isBetter: undefined }],
    ['a service level differs in points', serviceLevel, 0.87, 0.8, { by: 7, isBetter: true }],
    ['more abandonment is worse', abandonment, 0.05, 0.02, { by: 3, isBetter: false }],
    ['seconds are whole', timeToAnswerAverageSeconds, 12.4, 15.6, { by: -4, isBetter: true }],
    // 84.4 % and 86.6 % are shown as 84 % and 87 %, which differ by 3 and not by 2.2.
    ['it is that of the two numbers that are shown', serviceLevel, 0.866, 0.844, { by: 3, isBetter: true }],
  ])('%s', (_what, about, value, before, change) => {
    expect(figureChange(about, value, before)).toEqual(change);
  });

  it.each([
    [undefined, 3],
    [3, undefined],
    [undefined, undefined],
  ])('of %o and %o is not known', (value, before) => {
    expect(figureChange(missed, value, before)).toBeUndefined();
  });
});

describe('a target', () => {
  it.each([
    ['a service level at its target meets it', serviceLevel, 0.8, 80, 0],
    ['above it, too', serviceLevel, 1, 80, 0],
    ['a service level below it does not', serviceLevel, 0.75, 80, 5],
    ['what is shown as the target meets it', serviceLevel, 0.796, 80, 0],
    ['an abandonment below it meets it', abandonment, 0, 5, 0],
    ['at it, too', abandonment, 0.054, 5, 0],
    ['above it does not', abandonment, 0.08, 5, 3],
  ])('%s', (_what, about, value, percent, points) => {
    expect(pointsFromTarget(about, value, percent)).toBe(points);
  });
});

it('only a share whose better direction is known has a target', () => {
  const all = Object.values(callFigureDeclarations).filter(({ target }) => target !== undefined);

  expect(all.map(({ title, unit, better }) => [title, unit, better])).toEqual([
    ['Service level', 'share', 'more'],
    ['Abandonment', 'share', 'less'],
  ]);
});
