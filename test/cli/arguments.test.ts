import { describe, expect, it } from 'vitest';
import { dayFrom, instantFrom, instantOrDayFrom, sinceFrom, wholeNumber } from '../../cli/arguments.ts';

describe('instantFrom', () => {
  it.each([
    ['2026-11-20T06:00Z', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20T06:00:00.5Z', '2026-11-20T06:00:00.500Z'],
    ['2026-11-20T11:30:00+05:30', '2026-11-20T06:00:00.000Z'],
  ])('parses %s, as instantOrDayFrom does', (typed, instant) => {
    expect([instantFrom(typed), instantOrDayFrom(typed)]).toEqual([instant, instant]);
  });

  it.each([
    '',
    'today',
    '2026-11-20T06:00:00',
    '2026-02-30',
    '2026-02-30T06:00Z',
    '2026-13-01',
    '2026-11-20T25:00Z',
    '20-11-2026',
  ])('rejects %s and names what is allowed', (typed) => {
    const allowed = 'Expected an instant with its zone, such as 2026-11-20T06:00:00Z';

    expect(() => instantFrom(typed)).toThrow(allowed);
    expect(() => instantOrDayFrom(typed)).toThrow(allowed);
  });

  it('rejects a day, which instantOrDayFrom reads in UTC', () => {
    expect(instantOrDayFrom('2026-11-20')).toBe('2026-11-20T00:00:00.000Z');
    expect(() => instantFrom('2026-11-20')).toThrow(/with its zone.*A day has no zone.*--day for one\.$/);
  });
});

describe('dayFrom', () => {
  it.each(['2026-11-20', 'today', 'yesterday'])('parses %s', (typed) => {
    expect(dayFrom(typed)).toBe(typed);
  });

  it.each(['2026-02-30', '2026-11-20T00:00Z', 'tomorrow', ''])('rejects %j and names what is allowed', (typed) => {
    expect(() => dayFrom(typed)).toThrow('Expected a day such as 2026-11-20, today or yesterday.');
  });
});

describe('sinceFrom', () => {
  it.each([
    ['90m', { agoMs: 5_400_000 }],
    ['2h', { agoMs: 7_200_000 }],
    ['3d', { agoMs: 259_200_000 }],
    ['2026-11-20T11:30+05:30', { at: '2026-11-20T06:00:00.000Z' }],
  ])('parses %s', (typed, since) => {
    expect(sinceFrom(typed)).toEqual(since);
  });

  it.each(['2', '0h', '2 h', '-2h', '2w', '14:30', 'yesterday', '2026-11-20'])('rejects %j', (typed) => {
    expect(() => sinceFrom(typed)).toThrow('or how long ago, such as 90m, 2h or 3d.');
  });
});

describe('wholeNumber', () => {
  it.each(['1', '10'])('parses %s', (typed) => {
    expect(wholeNumber(1, 10)(typed)).toBe(Number(typed));
  });

  it.each(['0', '11', '1.5', '-1', 'x', '', '9'.repeat(20)])('rejects %j and names what is allowed', (typed) => {
    expect(() => wholeNumber(1, 10)(typed)).toThrow('Expected a whole number from 1 to 10.');
  });
});
