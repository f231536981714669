import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { createReceiveHandler } from '../../../functions/receive-callback/app.ts';
import { accountIndex } from '../../../lib/accounts/accounts.ts';
import type { Parked } from '../../../lib/callback/parked.ts';
import { receiveCallback } from '../../../lib/callback/receive-callback.ts';
import { httpApiEvent } from '../../../sandbox/gateway/http-api-event.ts';
import { lambdaContext } from '../../../sandbox/lambda/runtime.ts';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import type { Post, Wire } from '../../../sandbox/simulator/posts/post.ts';
import type { Random } from '../../../sandbox/simulator/random.ts';
import { posts } from '../posts.ts';

/** The expected status of a post, and everything that must be stored because of it. */
export interface ExpectedOutcome {
  readonly status: number;
  readonly items: readonly Parked[];
}

/** middy’s types require fields that only a REST API sends. */
const Handler = z.custom<(event: unknown, context: Context) => Promise<unknown>>(
  (value) => typeof value === 'function',
);
const Status = z.object({ statusCode: z.number() });
const nothing = (): void => undefined;

/** Reads a post with the receiver itself, over stores that never fail and record what they are given. */
const expectedOutcome = async ({ contentType, body, query }: Wire): Promise<ExpectedOutcome> => {
  const items: Parked[] = [];
  const index = accountIndex([demoAccount]);
  const telemetry = { count: nothing, measure: nothing, fault: nothing, log: nothing, flush: nothing };
  const receive = receiveCallback({
    telemetry,
    clock: () => new Date(0),
    deadline: () => new AbortController().signal,
    accounts: { current: async () => index, refresh: async () => index },
    calls: {
      async record(key, delivery) {
        items.push({ kind: 'delivery', key, delivery });
        return 'stored';
      },
    },
    quarantine: {
      async store(entry) {
        items.push({ kind: 'quarantine', entry });
        return 'stored';
      },
    },
    parking: { park: async () => undefined },
  });
  const request = {
    method: 'POST',
    url: query === '' ? '/callDetails' : `/callDetails?${query}`,
    httpVersion: '1.1',
    headers: { 'content-type': contentType },
    sourceIp: '127.0.0.1',
    body: Buffer.from(body),
  };
  const handler = Handler.parse(createReceiveHandler({ receive, telemetry, secretSha256: undefined }));
  const answer = await handler(httpApiEvent(request, new Date(0)), lambdaContext('receive-callback', 10_000));

  return { status: Status.parse(answer).statusCode, items };
};

export interface PreparedPost {
  readonly post: Post;
  readonly expected: ExpectedOutcome;
}

/** Gives the next posts of one endless series. They are made ahead, so that sending is not slowed. */
export const preparedPosts = (random: Random) => {
  const series = posts(random);

  return async (count: number): Promise<readonly PreparedPost[]> => {
    const prepared: PreparedPost[] = [];
    while (prepared.length < count) {
      const post = series.next().value;
      prepared.push({ post, expected: await expectedOutcome(post) });
    }
    return prepared;
  };
};
