import { afterEach, describe, expect, it } from 'vitest';
import { createDeliveryCounters } from '../../../../sandbox/simulator/delivery/send.ts';
import {
  createWebhookSender,
  type WebhookSenderSettings,
} from '../../../../sandbox/simulator/delivery/webhook-sender.ts';
import type { Post } from '../../../../sandbox/simulator/posts/post.ts';
import { noon } from '../support/calls.ts';
import { type Arrived, impatientClock, startReceiver } from '../support/service.ts';

const post: Post = {
  afterSeconds: 0,
  contentType: 'application/x-www-form-urlencoded',
  body: 'data=%7B%7D',
  query: '',
  callId: '12345678901234567',
  kinds: ['answered'],
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const arrange = async (
  statusFor?: (request: Arrived, index: number) => number | undefined,
  changes: Partial<WebhookSenderSettings> = {},
) => {
  const receiver = await startReceiver(statusFor);
  closing.push(receiver.close);
  const counters = createDeliveryCounters();
  const told: string[] = [];
  const { clock, slept } = impatientClock(noon);
  const stopping = new AbortController();
  const sender = createWebhookSender({
    callbackUrl: `${receiver.url}/a-secret/`,
    tries: 3,
    retrySeconds: 1,
    timeoutSeconds: 10,
    clock,
    counters: counters,
    log: (line) => told.push(line),
    stopped: stopping.signal,
    ...changes,
  });
  return { receiver, counters, told, slept, stopping, sender };
};

describe('deliver', () => {
  it('checks the address with HEAD and GET before the first post, and never again', async () => {
    const { sender, receiver, told } = await arrange();

    await Promise.all([sender.deliver(post), sender.deliver(post)]);
    await sender.deliver(post);

    expect(receiver.arrived.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'POST', 'POST', 'POST']);
    expect(sender.addressCheck()).toEqual({ HEAD: 200, GET: 200 });
    expect(told[0]).toBe('address check: HEAD 200, GET 200, accepted');
  });

  it('posts the body as it is to callDetails below the base, with its query', async () => {
    const { sender, receiver } = await arrange();

    expect(await sender.deliver({ ...post, query: 'tenant=1' })).toBe(200);
    expect(await sender.deliver(post)).toBe(200);

    expect(receiver.posts()).toEqual([
      { method: 'POST', url: '/a-secret/callDetails?tenant=1', contentType: post.contentType, body: post.body },
      { method: 'POST', url: '/a-secret/callDetails', contentType: post.contentType, body: post.body },
    ]);
  });

  it('tries again after a 5xx with growing waits until it is answered', async () => {
    const { sender, receiver, counters, slept } = await arrange((_, index) => (index < 2 ? 503 : 200));

    expect(await sender.deliver(post)).toBe(200);

    expect(receiver.posts().map(({ body }) => body)).toEqual([post.body, post.body, post.body]);
    expect(slept).toEqual([1000, 2000]);
    expect(counters.counts()).toEqual({
      calls: 1,
      posts: 1,
      postsByKind: { answered: 1 },
      answers: { 200: 1, 503: 2 },
      retries: 2,
    });
  });

  it('gives up after its last try', async () => {
    const { sender, receiver, told } = await arrange(() => 500, { tries: 2 });

    expect(await sender.deliver(post)).toBe(500);

    expect(receiver.posts()).toHaveLength(2);
    expect(told.at(-1)).toBe('call 12345678901234567, answered: 500, given up');
  });

  it.each([400, 401, 413, 415, 429])('does not try again after a %i', async (status) => {
    const { sender, receiver, counters } = await arrange(() => status);

    expect(await sender.deliver(post)).toBe(status);

    expect(receiver.posts()).toHaveLength(1);
    expect(counters.counts().retries).toBe(0);
  });

  it('does not follow a redirection', async () => {
    const { sender, receiver } = await arrange(() => 302);

    expect(await sender.deliver(post)).toBe(302);
    expect(receiver.posts()).toHaveLength(1);
  });

  it('counts no answer in time as a failure', async () => {
    const { sender, counters } = await arrange(() => undefined, { timeoutSeconds: 0.05 });

    expect(await sender.deliver(post)).toBe('timeout');
    expect(counters.counts()).toMatchObject({ answers: { timeout: 3 }, retries: 2 });
  });

  it('counts a receiver that is not there as a failure, and checks the address again once it may be', async () => {
    const { sender, receiver, counters } = await arrange();
    await receiver.close();
    closing.length = 0;

    expect(await sender.deliver(post)).toBe('network');
    expect(await sender.deliver(post)).toBe('network');

    expect(counters.counts()).toMatchObject({ posts: 2, answers: { network: 6 }, retries: 4 });
    expect(sender.addressCheck()).toEqual({ HEAD: 'network', GET: 'network' });
  });

  it('leaves an open post at once when it is stopped, and counts nothing', async () => {
    const { sender, receiver, stopping, counters } = await arrange(() => undefined);

    const delivered = sender.deliver(post);
    await expect.poll(() => receiver.posts().length).toBe(1);
    stopping.abort();

    expect(await delivered).toBe('stopped');
    expect(await sender.deliver(post)).toBe('stopped');
    expect(counters.counts()).toMatchObject({ calls: 0, posts: 0, answers: {} });
  });

  it('does not try again once it is stopped while it waits', async () => {
    const stopping = new AbortController();
    const clock = { now: () => noon, sleep: async () => stopping.abort() };
    const { sender, receiver } = await arrange(() => 500, { clock, stopped: stopping.signal });

    expect(await sender.deliver(post)).toBe('stopped');
    expect(receiver.posts()).toHaveLength(1);
  });
});

describe('the address check', () => {
  it('tells that the service would refuse an address that does not answer 200', async () => {
    const { sender, told } = await arrange(undefined, { callbackUrl: 'http://127.0.0.1:1', tries: 1 });

    await sender.deliver(post);

    expect(told[0]).toBe('address check: HEAD network, GET network, invalid URL: the service would not use it');
  });
});
