import { describe, expect, it } from 'vitest';
import { ok } from '../../../lib/result.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { lies, mostBytes } from '../../../torture/hostile/http/lies.ts';
import { tryLies } from '../../../torture/hostile/http/try-lies.ts';

const hard = lies.filter(({ mayBeAnswered }) => !mayBeAnswered).length;

describe('a service that lies over HTTP', () => {
  it('tells of a client that throws', async () => {
    const post = async () => {
      throw new Error('odd');
    };

    expect((await tryLies(seededRandom(1), 1, () => ({ post }))).breaches).toContain(
      'After “drips” it threw Error: odd',
    );
  });

  it('tells of a client that takes anything for an answer, reads more than it may, or repeats what it sent', async () => {
    const post = async ({ headers = {} }) => ok({ status: 200, text: JSON.stringify(headers) });
    const large = async () => ok({ status: 200, text: 'x'.repeat(mostBytes + 1) });

    expect((await tryLies(seededRandom(1), 1, () => ({ post }))).breaches).toContain(
      'After “gzip” a secret was in the answer',
    );
    const { breaches } = await tryLies(seededRandom(1), 1, () => ({ post: large }));
    expect(breaches).toHaveLength(lies.length);
    expect(hard).toBeGreaterThan(20);
  });
});
