import { describe, expect, it } from 'vitest';
import { until } from '../../../e2e/runner/until.ts';

const counting = () => {
  let looks = 0;
  return async () => {
    looks += 1;
    return looks;
  };
};

describe('until', () => {
  it('looks until it finds what it waits for', async () => {
    const found = await until('three', counting(), (looks) => looks === 3, { everyMilliseconds: 0 });

    expect(found).toBe(3);
  });

  it('says what it waited for, and what it found instead', async () => {
    const waiting = until(
      'a number below none',
      async () => 1,
      (looks) => looks < 0,
      { seconds: 0, everyMilliseconds: 0 },
    );

    await expect(waiting).rejects.toThrow(/^Not within 0 s: a number below none\n {2}expected: .*\n {2}found: {4}1$/);
  });

  it('lets a failure to look pass', async () => {
    const failing = until(
      'anything',
      () => Promise.reject(new Error('unreachable')),
      () => true,
    );

    await expect(failing).rejects.toThrow('unreachable');
  });
});
