/** What work consumes, as AWS charges for it or as its speed depends on it. */
const countNames = [
  'apiRequests',

  'receiverRuns',
  'publisherRuns',
  'pollerRuns',
  'forwarderRuns',
  'archiverRuns',
  // The milliseconds in which the runs of each function only wait for an answer.
  'receiverWaitMs',
  'publisherWaitMs',
  'pollerWaitMs',
  'forwarderWaitMs',
  'archiverWaitMs',

  'dynamodbCalls',
  // Calls of the telephony service.
  'serviceCalls',

  // Units of DynamoDB.
  'tableWriteUnits',
  'indexWriteUnits',
  'readUnits',

  'events',
  // EventBridge charges for each chunk of 64 KB of an event.
  'eventChunks',
  // The bytes of events in the archive.
  'eventBytes',
  'logBytes',

  // By how many bytes tables and indexes grew; and the same bytes, each times the days until its row expires.
  'tableBytes',
  'indexBytes',
  'tableByteDays',
  'indexByteDays',
] as const;

export type Counts = Readonly<Record<(typeof countNames)[number], number>>;

/** Adds counts up, each the given number of times. A count that is missing is 0. */
export const sum = (...parts: readonly (readonly [times: number, counts: Partial<Counts>])[]): Counts =>
  Object.fromEntries(
    countNames.map((name) => [name, parts.reduce((added, [times, counts]) => added + times * (counts[name] ?? 0), 0)]),
  ) as Counts;

/** Adds counts up, each once. */
export const total = (all: readonly Partial<Counts>[]): Counts => sum(...all.map((counts) => [1, counts] as const));

export const difference = (more: Partial<Counts>, less: Partial<Counts>): Counts => sum([1, more], [-1, less]);
