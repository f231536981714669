import { milliseconds, platformLines } from './assumptions.ts';
import type { Counts } from './counts.ts';
import type { Deployed } from './deployed.ts';
import { type Priced, prices, type Quantities } from './prices.ts';

/** The gigabyte of AWS's prices. */
export const gigabyte = 2 ** 30;

/** A tick is received and deleted by itself at the most. */
const requestsATick = 2;

const platformBytes = platformLines.reduce((bytes, line) => bytes + line.length, 0);

/** What counted work is charged as, without what it leaves in the tables. */
export const quantitiesOf = (counts: Counts, deployed: Deployed): Quantities => {
  const runs = counts.receiverRuns + counts.publisherRuns + counts.pollerRuns;
  const waits =
    runs * milliseconds.run +
    counts.dynamodbCalls * milliseconds.dynamodbCall +
    counts.busCalls * milliseconds.busCall +
    counts.serviceCalls * milliseconds.serviceCall;
  const logGigabytes =
    (counts.logBytes + runs * platformBytes + counts.apiRequests * deployed.accessLogBytes) / gigabyte;

  return {
    apiRequests: counts.apiRequests,
    lambdaRequests: runs,
    lambdaGigabyteSeconds: (waits / 1_000) * (deployed.memoryMegabytes / 1_024),
    writeUnits: counts.tableWriteUnits + counts.indexWriteUnits,
    readUnits: counts.readUnits,
    eventChunks: counts.eventChunks,
    archivedGigabytes: deployed.archiveDays === 0 ? 0 : counts.eventBytes / gigabyte,
    logGigabytes,
    sqsRequests: counts.pollerRuns * requestsATick,
  };
};

/** All of them together. */
export const together = (...parts: readonly Quantities[]): Quantities => {
  const total: Partial<Record<Priced, number>> = {};
  for (const part of parts) for (const name of pricedIn(part)) total[name] = (total[name] ?? 0) + (part[name] ?? 0);
  return total;
};

/** What they cost, in dollars. */
export const dollarsOf = (quantities: Quantities): number =>
  pricedIn(quantities).reduce((dollars, name) => dollars + dollarsFor(name, quantities[name]), 0);

/** What so much of something costs, in dollars. */
export const dollarsFor = (name: Priced, quantity = 0): number => (quantity * prices[name].dollars) / prices[name].per;

const isPriced = (name: string): name is Priced => Object.hasOwn(prices, name);

/** The names in an order that does not depend on how the quantities were put together. */
export const pricedIn = (quantities: Quantities): readonly Priced[] =>
  Object.keys(prices)
    .filter(isPriced)
    .filter((name) => quantities[name] !== undefined);
