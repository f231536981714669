/**
 * The settings of every AWS client: few, short attempts. A reply must be fast. Every caller can recover from a slow
 * service: by parking, or by the next delivery of the stream or queue. Without `throwOnRequestTimeout` the SDK only
 * logs a warning when `requestTimeout` has passed, and waits on.
 */
export const clientSettings = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
};

/** The part of an AWS client that `withoutLogger` needs. */
interface Client {
  readonly middlewareStack: { remove(name: string): boolean };
}

/** A client without a log: the SDK copies every request and answer for its log, even if nobody reads it. */
export const withoutLogger = <Some extends Client>(client: Some): Some => {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

/**
 * How long each step of a callback may take, in milliseconds. Their sum, with the accounts read twice, is less than the
 * receiver's time-out: a callback that can be parked must not end in a 5xx.
 */
export const accountsDeadlineMs = 1_500;
export const storeDeadlineMs = 2_500;
export const parkingDeadlineMs = 3_000;
