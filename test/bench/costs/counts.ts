/** What a piece of work consumed, as far as this machine can count it. */
export interface Counts {
  readonly apiRequests: number;
  readonly receiverRuns: number;
  readonly publisherRuns: number;
  readonly pollerRuns: number;
  /** Calls that a function waits for: of DynamoDB, of PutEvents, and of the telephony service. */
  readonly dynamodbCalls: number;
  readonly busCalls: number;
  readonly serviceCalls: number;
  readonly tableWriteUnits: number;
  readonly indexWriteUnits: number;
  readonly readUnits: number;
  /** Entries of PutEvents, and the chunks of 64 KB as which they are charged. */
  readonly events: number;
  readonly eventChunks: number;
  /** Events as an archive stores them. */
  readonly eventBytes: number;
  readonly logBytes: number;
  /** By how much tables and indexes grew. */
  readonly tableBytes: number;
  readonly indexBytes: number;
  /** The same, each row times the days until it expires. */
  readonly tableByteDays: number;
  readonly indexByteDays: number;
}

/** The sum of all parts, each the given number of times. */
export const sum = (...parts: readonly (readonly [times: number, counts: Partial<Counts>])[]): Counts =>
  filledBy((name) => parts.reduce((total, [times, { [name]: count = 0 }]) => total + times * count, 0));

export const difference = (more: Partial<Counts>, less: Partial<Counts>): Counts => sum([1, more], [-1, less]);

const filledBy = (count: (name: keyof Counts) => number): Counts => ({
  apiRequests: count('apiRequests'),
  receiverRuns: count('receiverRuns'),
  publisherRuns: count('publisherRuns'),
  pollerRuns: count('pollerRuns'),
  dynamodbCalls: count('dynamodbCalls'),
  busCalls: count('busCalls'),
  serviceCalls: count('serviceCalls'),
  tableWriteUnits: count('tableWriteUnits'),
  indexWriteUnits: count('indexWriteUnits'),
  readUnits: count('readUnits'),
  events: count('events'),
  eventChunks: count('eventChunks'),
  eventBytes: count('eventBytes'),
  logBytes: count('logBytes'),
  tableBytes: count('tableBytes'),
  indexBytes: count('indexBytes'),
  tableByteDays: count('tableByteDays'),
  indexByteDays: count('indexByteDays'),
});
