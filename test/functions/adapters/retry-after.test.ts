import { describe, expect, it } from 'vitest';
import { retryAfterSeconds } from '../../../functions/adapters/retry-after.ts';

const date = 'Fri, 20 Nov 2026 06:00:00 GMT';

describe('retryAfterSeconds', () => {
  it.each([
    ['seconds', '120', 120],
    ['no seconds', '0', 0],
    ['an instant, by the clock of who sent it', 'Fri, 20 Nov 2026 06:01:30 GMT', 90],
    ['an instant that has passed', 'Fri, 20 Nov 2026 05:00:00 GMT', 0],
    ['a negative number', '-5', undefined],
    ['a fraction', '1.5', undefined],
    ['a word', 'soon', undefined],
    ['a year', '2027', 2027],
    ['an instant that is none', 'Fri, 99 Nov 2026 06:01:30 GMT', undefined],
    ['nothing', '', undefined],
  ])('understands %s', (_title, header, seconds) => {
    expect(retryAfterSeconds(new Headers({ 'retry-after': header, date }))).toBe(seconds);
  });

  it('understands no instant where it is not told what time it is', () => {
    expect(retryAfterSeconds(new Headers({ 'retry-after': 'Fri, 20 Nov 2026 06:01:30 GMT' }))).toBeUndefined();
  });

  it('is undefined where nothing is asked', () => {
    expect(retryAfterSeconds(new Headers({ date }))).toBeUndefined();
  });
});
