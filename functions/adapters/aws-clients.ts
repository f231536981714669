/**
 * How our functions call AWS: few, short tries. A reply must be fast, and every caller has a way out when a service is
 * slow: parking, the next delivery of the stream or queue.
 */
export const clientSettings = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
};

/** What an AWS client is built of. */
interface Client {
  readonly middlewareStack: { remove(name: string): boolean };
}

/** A client that keeps no log: the SDK copies every request and answer for its log, even where nobody reads that. */
export const withoutLogger = <Some extends Client>(client: Some): Some => {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

/**
 * How long each step of a callback may take, in milliseconds. Together, with the accounts read twice, they stay below
 * the receiver's time-out: a callback that can be parked must not end in a 5xx.
 */
export const accountsDeadlineMs = 1_500;
export const storeDeadlineMs = 2_500;
export const parkingDeadlineMs = 3_000;
