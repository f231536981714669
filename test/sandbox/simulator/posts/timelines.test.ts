import { describe, expect, it } from 'vitest';
import { callOf, seeds } from '../support/calls.ts';
import { firstOf } from '../support/opened-post.ts';

describe('a call told twice', () => {
  it.each([
    ['late-disposition', ''],
    ['wrap-up-exceeded', 'Wrap up time exceeded :120'],
  ] as const)('as %s gets the disposition of its agent 20 to 40 s later', (kind, before) => {
    for (const seed of seeds) {
      const { posts } = callOf(seed, kind);
      const [first, later] = posts.map(firstOf);

      expect(posts).toHaveLength(2);
      expect(posts[1]?.afterSeconds).toBeGreaterThanOrEqual(20);
      expect(posts[1]?.afterSeconds).toBeLessThanOrEqual(40);
      expect(first?.['Disposition']).toBe(before);
      expect(later?.['Disposition']).toMatch(/^[A-Z][a-z]/);
      expect(later?.['Disposition']).not.toBe(before);
      expect(later?.['monitorUCID']).toBe(first?.['monitorUCID']);
    }
  });

  it('as poorer-later loses its answer, recording and disposition', () => {
    for (const seed of seeds) {
      const { posts } = callOf(seed, 'poorer-later');
      const [first, later] = posts.map(firstOf);

      expect(first).toMatchObject({ Status: 'Answered', AudioFile: expect.stringContaining('https:') });
      expect(later).toMatchObject({ Status: 'NotAnswered', AudioFile: '', Disposition: '' });
      expect(later?.['monitorUCID']).toBe(first?.['monitorUCID']);
      expect(posts[1]?.afterSeconds).toBeGreaterThan(0);
    }
  });
});

describe('a body sent again', () => {
  it('is the same to the last byte, one to three times, later', () => {
    const counts = seeds.map((seed) => {
      const [first, ...copies] = callOf(seed, 'redelivery').posts;

      for (const copy of copies) {
        expect(copy.body).toBe(first?.body);
        expect(copy.afterSeconds).toBeGreaterThan(0);
      }
      return copies.length;
    });

    expect(new Set(counts)).toEqual(new Set([1, 2, 3]));
  });

  it('may come at the same moment', () => {
    for (const seed of seeds) {
      const [first, second, ...others] = callOf(seed, 'twice-at-once').posts;

      expect(second).toEqual(first);
      expect(second?.afterSeconds).toBe(0);
      expect(others).toEqual([]);
    }
  });
});
