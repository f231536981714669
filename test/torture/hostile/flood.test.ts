import { describe, expect, it } from 'vitest';
import { flood } from '../../../torture/hostile/flood.ts';
import { createReceiver } from '../../../torture/hostile/receiver.ts';

const receiver = createReceiver('open');

describe('a flood of strangers’ posts', () => {
  it.each([
    [150, 100],
    [30, 30],
  ])('of %i leaves %i behind', async (posts, kept) => {
    expect(await flood(receiver, posts)).toEqual({ posts, kept, breaches: [] });
  });

  it('is told of where more is kept', async () => {
    const generous = {
      receive: async () => ({
        ...(await receiver.receive()),
        quarantine: Array.from({ length: 150 }, () => ({ body: 'x' })),
      }),
    };

    expect((await flood(generous)).breaches).toEqual([
      'Of 150 posts of strangers in a minute 150 are kept, and not 100',
    ]);
  });
});
