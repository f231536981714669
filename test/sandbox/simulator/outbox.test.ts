import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebhookSender, type OutboxSettings } from '../../../sandbox/simulator/outbox.ts';
import type { Post } from '../../../sandbox/simulator/posts.ts';
import { noon } from './support/calls.ts';
import { type Arrived, startReceiver } from './support/service.ts';

const post: Post = {
  afterSeconds: 0,
  contentType: 'application/x-www-form-urlencoded',
  body: 'data=%7B%7D',
  query: '',
  callId: '12345678901234567',
  kinds: ['answered'],
};

const arrange = async (
  statusFor?: (request: Arrived, index: number) => number | undefined,
  changes: Partial<OutboxSettings> = {},
) => {
  const receiver = await startReceiver(statusFor);
  onTestFinished(receiver.close);
  const logged: string[] = [];
  const slept: number[] = [];
  const clock = {
    now: () => noon,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds);
    },
  };
  const sender = createWebhookSender({
    callbackUrl: `${receiver.url}/a-secret/`,
    clock,
    log: (line) => logged.push(line),
    stopped: new AbortController().signal,
    ...changes,
  });
  return { receiver, logged, slept, sender };
};

describe('createWebhookSender', () => {
  it('checks the address once with HEAD and GET before the first post', async () => {
    const { sender, receiver, logged } = await arrange();

    await Promise.all([sender.deliver(post), sender.deliver(post)]);
    await sender.deliver(post);

    expect(receiver.arrived.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'POST', 'POST', 'POST']);
    expect(sender.counts()).toMatchObject({ addressCheck: { HEAD: 200, GET: 200 } });
    expect(logged[0]).toBe('address check: HEAD 200, GET 200, accepted');
  });

  it('posts the unchanged body and query to callDetails below the base address', async () => {
    const { sender, receiver } = await arrange();

    expect(await sender.deliver({ ...post, query: 'tenant=1' })).toBe(200);
    expect(await sender.deliver(post)).toBe(200);

    expect(receiver.posts()).toEqual([
      { method: 'POST', url: '/a-secret/callDetails?tenant=1', contentType: post.contentType, body: post.body },
      { method: 'POST', url: '/a-secret/callDetails', contentType: post.contentType, body: post.body },
    ]);
  });

  it('retries after any status but 200, with growing waits', async () => {
    const { sender, receiver, slept } = await arrange((_, index) => [400, 503, 200][index]);

    expect(await sender.deliver(post)).toBe(200);

    expect(receiver.posts().map(({ body }) => body)).toEqual([post.body, post.body, post.body]);
    expect(slept).toEqual([1000, 2000]);
    expect(sender.counts()).toEqual({
      calls: 1,
      posts: 1,
      postsByKind: { answered: 1 },
      answers: { 200: 1, 400: 1, 503: 1 },
      retries: 2,
      addressCheck: { HEAD: 200, GET: 200 },
    });
  });

  it('gives up after the last attempt', async () => {
    const { sender, receiver, logged } = await arrange(() => 500);

    expect(await sender.deliver(post)).toBe(500);

    expect(receiver.posts()).toHaveLength(3);
    expect(logged.at(-1)).toBe('call 12345678901234567, answered: 500, given up');
  });

  it('counts a timeout as a failure', async () => {
    const { sender } = await arrange(() => undefined, { timeoutMs: 50 });

    expect(await sender.deliver(post)).toBe('timeout');
    expect(sender.counts()).toMatchObject({ answers: { timeout: 3 }, retries: 2 });
  });

  it('counts an unreachable receiver as a failure, and reports it in the address check', async () => {
    const { sender, receiver, logged } = await arrange();
    await receiver.close();

    expect(await sender.deliver(post)).toBe('network');

    expect(sender.counts()).toMatchObject({
      posts: 1,
      answers: { network: 3 },
      retries: 2,
      addressCheck: { HEAD: 'network', GET: 'network' },
    });
    expect(logged[0]).toBe('address check: HEAD network, GET network, invalid URL: the service would not use it');
  });
});
