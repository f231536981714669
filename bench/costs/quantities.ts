import { type Counts, difference } from '../meter/counts.ts';
import type { Deployed } from './deployed.ts';
import { lambdaGigabyteSeconds, runsOf } from './lambda.ts';
import { addQuantities, dollarsOf, type Quantities } from './prices.ts';
import { archiving, forwardRequests, milliseconds, platformLines, scenario } from './scenario.ts';

/** The gigabyte of AWS's prices. */
export const gigabyte = 2 ** 30;

const { daysAMonth } = scenario;

/** The charged quantities of counted work, without storage in the tables. */
export const quantitiesOf = (counts: Counts, { archiveDays, accessLogBytes }: Deployed): Quantities => {
  const runs = runsOf(counts);
  const gigabyteSeconds = lambdaGigabyteSeconds(counts);
  const platformBytes = platformLines.reduce((bytes, line) => bytes + line.length, 0);
  return {
    apiRequests: counts.apiRequests,
    lambdaRequests: runs,
    lambdaGigabyteSeconds: gigabyteSeconds.ofRuns,
    lambdaStarts: gigabyteSeconds.ofStarts,
    writeUnits: counts.tableWriteUnits + counts.indexWriteUnits,
    readUnits: counts.readUnits,
    eventChunks: counts.eventChunks,
    archiveIntakeGigabytes: archiveDays === 0 ? 0 : counts.eventBytes / gigabyte,
    logGigabytes: (counts.logBytes + runs * platformBytes + counts.apiRequests * accessLogBytes) / gigabyte,
    // A tick is received and deleted alone at the most.
    sqsRequests: counts.pollerRuns * 2,
  };
};

export const storageOf = (counts: Counts, deployed: Deployed): Quantities => {
  const { archiveIntakeGigabytes = 0, logGigabytes = 0 } = quantitiesOf(counts, deployed);
  return {
    storedGigabytes: (counts.tableByteDays + counts.indexByteDays) / daysAMonth / gigabyte,
    recoverableGigabytes: counts.tableByteDays / daysAMonth / gigabyte,
    archiveStoredGigabytes: (archiveIntakeGigabytes * deployed.archiveDays) / daysAMonth,
    keptLogGigabytes: (logGigabytes * deployed.logDays) / daysAMonth,
  };
};

/** Quantities of the Calls table, by the prices of its class. */
export const ofCallsTable = (quantities: Quantities, { isInfrequent }: Pick<Deployed, 'isInfrequent'>): Quantities => {
  if (!isInfrequent) return quantities;
  const { writeUnits = 0, readUnits = 0, storedGigabytes = 0, ...others } = quantities;
  return {
    ...others,
    infrequentWriteUnits: writeUnits,
    infrequentReadUnits: readUnits,
    infrequentGigabytes: storedGigabytes,
  };
};

/** What forwarding a delivery takes: a run for its change at most, and one that reads the call's row and posts. */
export const forwarded = (call: Counts): Counts => ({
  ...difference(call, call),
  forwarderRuns: 2,
  forwarderWaitMs: milliseconds.dynamodbCall + milliseconds.serviceCall,
  readUnits: Math.ceil(call.tableBytes / 4_096),
});

export const forwardedQuantities = (call: Counts, deployed: Deployed): Quantities =>
  addQuantities(ofCallsTable(quantitiesOf(forwarded(call), deployed), deployed), { fifoRequests: forwardRequests });

/** What archiving a recording takes: a run of its own, and one of the publisher for each write of its row. */
export const archived = (call: Counts): Counts => ({
  ...difference(call, call),
  archiverRuns: 1,
  archiverWaitMs: (archiving.queries + archiving.writes) * milliseconds.dynamodbCall + milliseconds.serviceCall,
  publisherRuns: archiving.writes,
  publisherWaitMs: milliseconds.busCall,
  // The call is read twice, and its recordings once.
  readUnits: 2 * Math.ceil(call.tableBytes / 4_096) + 1,
  tableWriteUnits: archiving.writes,
  events: 1,
  eventChunks: 1,
  eventBytes: archiving.eventBytes,
});

export const archivedQuantities = (call: Counts, deployed: Deployed): Quantities =>
  addQuantities(ofCallsTable(quantitiesOf(archived(call), deployed), deployed), {
    sqsRequests: archiving.messages,
    objectsPut: 1,
  });

export const objectMonthDollars = (): number => dollarsOf({ objectGigabytes: archiving.megabytes / 1_024 });
