import { tickEntries } from '../../functions/poll-agents/ticks.ts';
import { slotSeconds } from '../../lib/agents/slot.ts';
import { agentStateMetrics, essentialMetrics, loggedMetrics, metrics } from '../../lib/telemetry/metrics.ts';
import type { CallCounts, PollCounts } from './count-all.ts';
import { type Counts, difference, sum } from './counts.ts';
import type { Deployed } from './deployed.ts';
import {
  changedAgents,
  milliseconds,
  type Priced,
  platformLines,
  prices,
  type Quantities,
  queuePolling,
  receipts,
  scenario,
  secretReaders,
  servedByAnother,
  traced,
  type Volume,
} from './prices.ts';

/** The gigabyte of AWS's prices. */
export const gigabyte = 2 ** 30;

/** A tick is received and deleted alone at the most. */
const requestsATick = 2;

const platformBytes = platformLines.reduce((bytes, line) => bytes + line.length, 0);

/** The same quantities of the Calls table, by the prices of its class. */
export const ofCallsTable = (quantities: Quantities, { isInfrequent }: Pick<Deployed, 'isInfrequent'>): Quantities => {
  if (!isInfrequent) return quantities;
  const { writeUnits, readUnits, storedGigabytes = 0, ...others } = quantities;
  return {
    ...others,
    infrequentWriteUnits: writeUnits ?? 0,
    infrequentReadUnits: readUnits ?? 0,
    infrequentGigabytes: storedGigabytes,
  };
};

/**
 * The days for which a call must be stored so that infrequent access makes it cheaper: what its requests cost more, by what
 * its storage costs less a day.
 */
export const infrequentPaysAfterDays = (calls: CallCounts, deployed: Deployed): number => {
  const work = callCounts(calls);
  const { writeUnits, readUnits } = quantitiesOf(work, deployed);
  const standard = {
    writeUnits,
    readUnits,
    storedGigabytes: (work.tableBytes + work.indexBytes) / gigabyte / daysAMonth,
  };
  const savedBy = (quantities: Quantities) =>
    dollarsOf(quantities) - dollarsOf(ofCallsTable(quantities, { isInfrequent: true }));
  const { storedGigabytes, ...requests } = standard;
  return -savedBy(requests) / savedBy({ storedGigabytes });
};

/** The charged quantities of counted work, without storage in the tables. */
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

export const addQuantities = (...parts: readonly Quantities[]): Quantities => {
  const total: Partial<Record<Priced, number>> = {};
  for (const part of parts) for (const name of pricedIn(part)) total[name] = (total[name] ?? 0) + (part[name] ?? 0);
  return total;
};

export const dollarsOf = (quantities: Quantities): number =>
  pricedIn(quantities).reduce((dollars, name) => dollars + dollarsFor(name, quantities[name]), 0);

export const dollarsFor = (name: Priced, quantity = 0): number => (quantity * prices[name].dollars) / prices[name].per;

const isPriced = (name: string): name is Priced => Object.hasOwn(prices, name);

export const pricedIn = (quantities: Quantities): readonly Priced[] =>
  Object.keys(prices)
    .filter(isPriced)
    .filter((name) => quantities[name] !== undefined);

export interface Month {
  readonly calls: Quantities;
  readonly agents: Quantities;
  readonly fixed: Quantities;
}

const { daysAMonth, openHoursADay } = scenario;
const hours = daysAMonth * 24;
const seconds = hours * 3_600;
const openSeconds = daysAMonth * openHoursADay * 3_600;

/** A month with full tables: rows expire as fast as they come. */
export const monthOf = (volume: Volume, deployed: Deployed, calls: CallCounts, polls: PollCounts): Month => {
  const ofCalls = sum([daysAMonth * volume.callsADay, callCounts(calls)]);
  const ofPolls = pollCounts(polls, changedAgents(volume));
  return {
    calls: addQuantities(
      ofCallsTable(quantitiesOf(ofCalls, deployed), deployed),
      ofCallsTable(storageOf(ofCalls, deployed), deployed),
      tracesOf(deployed, ofCalls.receiverRuns, openSeconds),
      tracesOf(deployed, ofCalls.publisherRuns, openSeconds),
      { writeUnits: Math.min(ofCalls.events, receipts.publishers * (openSeconds / 60)) },
    ),
    agents: addQuantities(
      quantitiesOf(ofPolls, deployed),
      storageOf(ofPolls, deployed),
      tracesOf(deployed, ofPolls.pollerRuns, seconds),
      tracesOf(deployed, ofPolls.publisherRuns, openSeconds),
      ticksOf(deployed),
      { readUnits: receipts.pollers * (seconds / 60) },
    ),
    fixed: fixedOf(deployed),
  };
};

const callCounts = ({ first, transferred, repeat, revision, participant }: CallCounts): Counts => {
  const { deliveries, revisedShare, transferredShare, participants } = scenario;
  return sum(
    [1 - transferredShare, first],
    [transferredShare, transferred],
    [revisedShare, revision],
    [(deliveries - 1) * (1 + revisedShare), repeat],
    [participants, participant],
  );
};

const pollCounts = ({ unchanged, changed, byAnother, taken }: PollCounts, changes: number): Counts => {
  const slots = seconds / slotSeconds;
  const openSlots = openSeconds / slotSeconds;
  const polled = changed.get(changes);
  if (polled === undefined) throw new Error(`No poll was counted in which ${changes} agents change`);
  return sum(
    [slots - openSlots, unchanged],
    [openSlots, polled],
    [slots * servedByAnother, difference(byAnother, unchanged)],
    [ticks - slots, taken],
  );
};

/** The schedule sends a batch every minute. */
const firings = seconds / 60;
const ticks = firings * tickEntries.length;

const ticksOf = ({ schedules }: Deployed): Quantities =>
  schedules === 0 ? {} : { scheduledCalls: firings, sqsRequests: firings };

/** The storage of a month in tables, archive and logs once these are full. */
const storageOf = (counts: Counts, deployed: Deployed): Quantities => {
  const { archivedGigabytes = 0, logGigabytes = 0 } = quantitiesOf(counts, deployed);
  return {
    storedGigabytes: (counts.tableByteDays + counts.indexByteDays) / daysAMonth / gigabyte,
    recoverableGigabytes: counts.tableByteDays / daysAMonth / gigabyte,
    archiveGigabytes: (archivedGigabytes * deployed.archiveDays) / daysAMonth,
    keptLogGigabytes: (logGigabytes * deployed.logDays) / daysAMonth,
  };
};

const tracesOf = ({ isTraced }: Deployed, runs: number, within: number): Quantities => {
  const first = Math.min(runs, within * traced.aSecond);
  return isTraced ? { traces: first + traced.shareOfOthers * (runs - first) } : {};
};

/** Without those of reconciliation, which is off by default and then emits none. */
const countByDefault = (names: readonly string[]): number => names.filter((name) => !name.startsWith('Report')).length;

const emittedMetrics = {
  essential: countByDefault(essentialMetrics),
  full: countByDefault(Object.keys(metrics)) + agentStateMetrics.length,
};

/** The quantities of an idle deployment. */
export const fixedOf = ({
  servedQueues,
  alarmMetrics,
  dashboards,
  secrets,
  keys,
  ...deployed
}: Deployed): Quantities => ({
  sqsRequests: (servedQueues * queuePolling.pollers * seconds) / queuePolling.secondsAPoll,
  metrics: emittedMetrics[deployed.metrics] + loggedMetrics.length,
  alarmMetrics,
  dashboards,
  secrets,
  secretReads: secretReaders.processes * secretReaders.readsAnHour * hours,
  ...(keys > 0 && { keys }),
});
