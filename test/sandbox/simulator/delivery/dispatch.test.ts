import { describe, expect, it } from 'vitest';
import { dispatch } from '../../../../sandbox/simulator/delivery/dispatch.ts';
import type { Post } from '../../../../sandbox/simulator/posts/post.ts';
import { noon } from '../support/calls.ts';
import { impatientClock, manualClock } from '../support/manual-clock.ts';

const postAfter = (afterSeconds: number, body: string): Post => ({
  afterSeconds,
  contentType: 'text/plain',
  body,
  query: '',
  callId: '1',
  kinds: [],
});
const posts = [postAfter(0, 'first'), postAfter(0, 'copy'), postAfter(30, 'later'), postAfter(50, 'last')];

describe('dispatch', () => {
  it('sends the posts of one second together and waits for the others, as much as the pace says', async () => {
    const { clock, slept } = impatientClock(noon);
    const sent: string[] = [];
    const deliver = async ({ body }: Post) => {
      sent.push(body);
      return 200;
    };
    const { atOnce, all } = dispatch(posts, { pace: 10, clock, stopped: new AbortController().signal, deliver });

    expect(await atOnce).toEqual([200, 200]);
    await all;

    expect(sent).toEqual(['first', 'copy', 'later', 'last']);
    expect(slept).toEqual([300_000, 200_000]);
  });

  it('without pace sends everything at once and yet one after the other', async () => {
    const { clock, slept } = impatientClock(noon);
    const open = new Set<string>();
    const together: string[][] = [];
    const deliver = async ({ body }: Post) => {
      open.add(body);
      together.push([...open]);
      await Promise.resolve();
      open.delete(body);
      return 200;
    };
    const { atOnce } = dispatch(posts, { pace: 0, clock, stopped: new AbortController().signal, deliver });

    expect(await atOnce).toEqual([200, 200, 200, 200]);
    expect(together).toEqual([['first'], ['first', 'copy'], ['later'], ['last']]);
    expect(slept).toEqual([]);
  });

  it('sends nothing more once it is stopped', async () => {
    const { clock, sleeping } = manualClock(noon);
    const stopping = new AbortController();
    const sent: string[] = [];
    const deliver = async ({ body }: Post) => {
      sent.push(body);
      return 200;
    };
    const { all } = dispatch(posts, { pace: 1, clock, stopped: stopping.signal, deliver });

    await expect.poll(sleeping).toBe(1);
    stopping.abort();
    await all;

    expect(sent).toEqual(['first', 'copy']);
  });
});
