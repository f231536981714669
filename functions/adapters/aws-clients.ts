/**
 * How our functions call AWS: few, short tries. A reply must be fast, and every caller has a way out when a service is
 * slow: parking, the next delivery of the stream or queue.
 */
export const clientSettings = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
};

/** How long one store may take in all before its work is parked, in milliseconds. */
export const storeDeadlineMs = 3_000;
