import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { createHandler } from '../../functions/receive-callback/handler.ts';
import { accountBook } from '../../lib/account/account-book.ts';
import type { Parked } from '../../lib/callback/parked.ts';
import { receiveCallback } from '../../lib/receive-callback.ts';
import { demoAccount } from '../../sandbox/accounts.ts';
import { lambdaContext } from '../../sandbox/functions-host/lambda-context.ts';
import { httpApiEvent } from '../../sandbox/gateway/http-api-event.ts';
import type { Wire } from '../../sandbox/simulator/posts/post.ts';

/** What a post is to be answered, and everything that has to be kept because of it. */
export interface Meaning {
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
export const meaningOf = async ({ contentType, body, query }: Wire): Promise<Meaning> => {
  const items: Parked[] = [];
  const book = accountBook([demoAccount]);
  const telemetry = { count: nothing, measure: nothing, fault: nothing, log: nothing, flush: nothing };
  const receive = receiveCallback({
    telemetry,
    clock: () => new Date(0),
    deadline: () => new AbortController().signal,
    accounts: { current: async () => book, refreshed: async () => book },
    calls: {
      async record(key, delivery) {
        items.push({ kind: 'delivery', key, delivery });
        return 'stored';
      },
    },
    quarantine: {
      async keep(entry) {
        items.push({ kind: 'quarantine', entry });
        return 'kept';
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
  const handler = Handler.parse(createHandler({ receive, telemetry, secretSha256: undefined }));
  const answer = await handler(httpApiEvent(request, route, new Date(0)), lambdaContext('receive-callback', 10_000));

  return { status: Status.parse(answer).statusCode, items };
};
