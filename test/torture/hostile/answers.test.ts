import { describe, expect, it } from 'vitest';
import { hostileAnswer } from '../../../torture/hostile/answers/hostile-answer.ts';
import { mayBeLoggedOut } from '../../../torture/hostile/answers/may-be-logged-out.ts';
import { tryGivenAnswer } from '../../../torture/hostile/answers/try-answer.ts';

const hostile = hostileAnswer(1, 1);

describe('a hostile answer', () => {
  it('breaks nothing where the poller is sound', async () => {
    expect((await tryGivenAnswer(hostile)).breaches).toEqual([]);
  });

  it('tells of a poller that throws', async () => {
    const { breaches } = await tryGivenAnswer(hostile, () => async () => {
      throw new Error('odd');
    });

    expect(breaches).toContain('It threw Error: odd');
  });

  it('tells of a poller that does not ask, and so misses the good answer', async () => {
    const { breaches } = await tryGivenAnswer(hostile, () => async () => undefined);

    expect(breaches.join('\n')).toMatch(/is not as the good answer afterwards says/);
  });

  const good = (message: unknown) => JSON.stringify({ status: 'success', message });
  it.each([
    [200, good([{ AgentId: 'b' }]), true],
    [200, good([]), true],
    [200, good([{ AgentId: 'a' }]), false],
    [200, JSON.stringify({ status: 'error', message: [] }), false],
    [200, JSON.stringify({ status: 'error', message: 'No Data Found' }), true],
    [200, 'No Data Found.', true],
    [200, good([]).slice(0, -1), false],
    [200, '<html>', false],
    [200, '[]', false],
    [429, good([]), false],
    [500, good([]), false],
    [404, good([]), false],
  ])('is told of by its status %i and text %s: may say that an agent is gone, %s', (status, text, may) => {
    expect(mayBeLoggedOut({ status, text }, 'a')).toBe(may);
  });
});
