import { describe, expect, it } from 'vitest';
import { judge } from '../../../torture/soak/judge.ts';
import { type Sample, series } from '../../../torture/soak/series.ts';
import { soakSizes } from '../../../torture/soak/soak-sizes.ts';

const { full } = soakSizes;
const level = { heap: 40, rss: 130, timers: 10, resources: 40, files: 100, reply: 8, lag: 90, pollAge: 7 };

/** Samples of ten minutes; `grown` gives what a value has become more by, in which part of the time. */
const samples = (grown: (share: number) => Partial<Sample> = () => ({})): readonly Sample[] =>
  Array.from({ length: 120 }, (_, index) => ({ at: 5 * (index + 1), ...level, ...grown(index / 119) }));

describe('judge', () => {
  it('finds nothing wrong where everything stays where it is', () => {
    const { failures, figures } = judge(samples(), full);

    expect(failures).toEqual([]);
    expect(figures).toContainEqual({ what: 'live heap: growth', value: 0, unit: 'MB' });
  });

  it.each(series)('finds that $what grows, and says by how much', ({ name, what }) => {
    const by = 2 * (full.allowed[name] ?? 0);
    const { failures } = judge(
      samples((share) => ({ [name]: level[name] + by * share })),
      full,
    );

    expect(failures).toEqual([
      expect.stringMatching(new RegExp(`^${what} grew by [\\d.]+.*, where .* are allowed\\.$`)),
    ]);
  });

  it('does not judge what grew while it warmed up', () => {
    const warming = samples((share) => ({ heap: 40 + 100 * Math.min(share, 0.19) }));

    expect(judge(warming, full).failures).toEqual([]);
  });

  it('finds agents who were not asked after for too long', () => {
    const { failures } = judge(
      samples((share) => ({ pollAge: share > 0.9 ? 31 : 7 })),
      full,
    );

    expect(failures).toEqual(['The picture of the agents became 31 s old, where 20 s are allowed.']);
  });

  it('waits for the first poll, and not for ever', () => {
    const polledAfter = (share: number) => samples((at) => ({ pollAge: at < share ? undefined : 7 }));

    expect(judge(polledAfter(0.1), full).failures).toEqual([]);
    expect(judge(polledAfter(2), full).failures).toEqual([
      'The picture of the agents became 600 s old, where 20 s are allowed.',
    ]);
  });

  it('judges nothing by a handful of samples', () => {
    expect(judge(samples().slice(-3), full).failures).toEqual(['3 samples tell of no growth.']);
  });
});
