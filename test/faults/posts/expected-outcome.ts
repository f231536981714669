import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { createReceiveHandler } from '../../../functions/receive-callback/app.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import type { Parked } from '../../../lib/callback/parked.ts';
import { receiveCallback } from '../../../lib/callback/receive-callback.ts';
import { httpApiEvent } from '../../../sandbox/gateway/http-api-event.ts';
import { lambdaContext } from '../../../sandbox/lambda/runtime.ts';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import type { Post, Wire } from '../../../sandbox/simulator/posts/post.ts';
import type { Random } from '../../../sandbox/simulator/random.ts';
import { posts } from './posts.ts';

/** What a post is to be answered, and everything that has to be kept because of it. */
export interface ExpectedOutcome {
  readonly status: number;
  readonly items: readonly Parked[];
}

const route = { key: 'POST /callDetails', parameters: {} };
/** middy's types ask for what only a REST API sends. */
const Handler = z.custom<(event: unknown, context: Context) => Promise<unknown>>(
  (value) => typeof value === 'function',
);
const Status = z.object({ statusCode: z.number() });
const nothing = (): void => undefined;

/** Reads posts with the receiver itself, before stores that fail at nothing and remember what they are given. */
const expectedOutcome = async ({ contentType, body, query }: Wire): Promise<ExpectedOutcome> => {
  const items: Parked[] = [];
  const book = accountIndex([demoAccount]);
  const telemetry = { count: nothing, measure: nothing, fault: nothing, log: nothing, flush: nothing };
  const receive = receiveCallback({
    telemetry,
    clock: () => new Date(0),
    deadline: () => new AbortController().signal,
    accounts: { current: async () => book, refresh: async () => book },
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
  const answer = await handler(httpApiEvent(request, route, new Date(0)), lambdaContext('receive-callback', 10_000));

  return { status: Status.parse(answer).statusCode, items };
};

/** A post, and what it means. */
export interface PreparedPost {
  readonly post: Post;
  readonly meaning: ExpectedOutcome;
}

/** Gives the next so many posts of one endless series; made ahead, so that making them takes no time from sending. */
export const preparedPosts = (random: Random) => {
  const series = posts(random);

  return async (count: number): Promise<readonly PreparedPost[]> => {
    const prepared: PreparedPost[] = [];
    while (prepared.length < count) {
      const post = series.next().value;
      prepared.push({ post, meaning: await expectedOutcome(post) });
    }
    return prepared;
  };
};
