const counted = [
  ...(['apiRequests', 'receiverRuns', 'publisherRuns', 'pollerRuns'] as const),
  // Calls that a function waits for: of DynamoDB, of PutEvents, and of the telephony service.
  ...(['dynamodbCalls', 'busCalls', 'serviceCalls'] as const),
  ...(['tableWriteUnits', 'indexWriteUnits', 'readUnits'] as const),
  // Entries of PutEvents, the chunks of 64 KB as which they are charged, and their bytes as an archive stores them.
  ...(['events', 'eventChunks', 'eventBytes'] as const),
  'logBytes',
  // By how much tables and indexes grew; and the same, each row times the days until it expires.
  ...(['tableBytes', 'indexBytes', 'tableByteDays', 'indexByteDays'] as const),
] as const;

/** What a piece of work consumed, as far as this machine can count it. */
export type Counts = Readonly<Record<(typeof counted)[number], number>>;

/** The sum of all parts, each the given number of times. */
export const sum = (...parts: readonly (readonly [times: number, counts: Partial<Counts>])[]): Counts =>
  Object.fromEntries(
    counted.map((name) => [name, parts.reduce((total, [times, { [name]: count = 0 }]) => total + times * count, 0)]),
  ) as Counts;

export const difference = (more: Partial<Counts>, less: Partial<Counts>): Counts => sum([1, more], [-1, less]);
