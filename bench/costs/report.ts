import { slotSeconds } from '../../functions/poll-agents/rate-limit.ts';
import { tickEntries } from '../../functions/poll-agents/ticks.ts';
import { type Counts, difference, sum } from '../meter/counts.ts';
import { dollarFigure, figure, markdownTable } from '../part.ts';
import { analyticsAssumptions, analyticsOf, analyticsTable } from './analytics-costs.ts';
import { type Counted, countAll, type PollScenario } from './count.ts';
import { type Deployed, readDeployed } from './deployed.ts';
import { lambdaAssumptions, lambdaGigabyteSeconds, memoryTable, runsOf } from './lambda.ts';
import { addQuantities, dollarsOf, priced, priceList, prices, type Quantities } from './prices.ts';
import {
  archiving,
  changedAgents,
  forwardRequests,
  milliseconds,
  platformLines,
  queuePolling,
  receipts,
  scenario,
  secretReaders,
  servedByAnother,
  type Volume,
  volumes,
} from './scenario.ts';

/** The gigabyte of AWS's prices. */
const gigabyte = 2 ** 30;

const { daysAMonth, openHoursADay } = scenario;
const seconds = daysAMonth * 24 * 3_600;
const openSeconds = daysAMonth * openHoursADay * 3_600;
/** The schedule sends a batch every minute. */
const firings = seconds / 60;

/** The charged quantities of counted work, without storage in the tables. */
const quantitiesOf = (counts: Counts, { archiveDays, accessLogBytes }: Deployed): Quantities => {
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

const storageOf = (counts: Counts, deployed: Deployed): Quantities => {
  const { archiveIntakeGigabytes = 0, logGigabytes = 0 } = quantitiesOf(counts, deployed);
  return {
    storedGigabytes: (counts.tableByteDays + counts.indexByteDays) / daysAMonth / gigabyte,
    recoverableGigabytes: counts.tableByteDays / daysAMonth / gigabyte,
    archiveStoredGigabytes: (archiveIntakeGigabytes * deployed.archiveDays) / daysAMonth,
    keptLogGigabytes: (logGigabytes * deployed.logDays) / daysAMonth,
  };
};

/** The same quantities of the Calls table, by the prices of its class. */
const ofCallsTable = (quantities: Quantities, { isInfrequent }: Pick<Deployed, 'isInfrequent'>): Quantities => {
  if (!isInfrequent) return quantities;
  const { writeUnits = 0, readUnits = 0, storedGigabytes = 0, ...others } = quantities;
  return {
    ...others,
    infrequentWriteUnits: writeUnits,
    infrequentReadUnits: readUnits,
    infrequentGigabytes: storedGigabytes,
  };
};

/** What a call takes on average. */
const callCounts = ({ first, transferred, repeat, revision, participant }: Counted['calls']): Counts => {
  const { deliveries, revisedShare, transferredShare, participants } = scenario;
  return sum(
    [1 - transferredShare, first],
    [transferredShare, transferred],
    [revisedShare, revision],
    [(deliveries - 1) * (1 + revisedShare), repeat],
    [participants, participant],
  );
};

/**
 * The days for which a call must be stored so that infrequent access makes it cheaper: what its requests cost more, by what
 * its storage costs less a day.
 */
export const infrequentPaysAfterDays = (calls: Counted['calls'], deployed: Deployed): number => {
  const work = callCounts(calls);
  const { writeUnits = 0, readUnits = 0 } = quantitiesOf(work, deployed);
  const savedBy = (quantities: Quantities) =>
    dollarsOf(quantities) - dollarsOf(ofCallsTable(quantities, { isInfrequent: true }));
  const storedGigabytes = (work.tableBytes + work.indexBytes) / gigabyte / daysAMonth;
  return -savedBy({ writeUnits, readUnits }) / savedBy({ storedGigabytes });
};

type PollCounts = Counted['polls'][number];

const pollCounts = ({ unchanged, changed, byAnother, taken }: PollCounts, changes: number): Counts => {
  const slots = seconds / slotSeconds;
  const openSlots = openSeconds / slotSeconds;
  const polled = changed.get(changes);
  if (polled === undefined) throw new Error(`No poll was counted in which ${changes} agents change`);
  return sum(
    [slots - openSlots, unchanged],
    [openSlots, polled],
    [slots * servedByAnother, difference(byAnother, unchanged)],
    [firings * tickEntries.length - slots, taken],
  );
};

const fixedOf = ({ servedQueues, ownMetrics, alarmMetrics, dashboards, secrets, keys }: Deployed) => ({
  sqsRequests: (servedQueues * queuePolling.pollers * seconds) / queuePolling.secondsAPoll,
  metrics: ownMetrics,
  alarmMetrics,
  dashboards,
  secrets,
  secretReads: secretReaders.processes * secretReaders.readsAnHour * daysAMonth * 24,
  keys,
});

/** A month with full tables: rows expire as fast as they come. */
const monthOf = (volume: Volume, { deployed, calls, polls }: Omit<Counted, 'posted'> & { deployed: Deployed }) => {
  const ofSize = polls.find(({ agents }) => agents === volume.agents);
  if (ofSize === undefined) throw new Error(`No polls of ${volume.agents} agents were counted`);
  const ofCalls = sum([daysAMonth * volume.callsADay, callCounts(calls)]);
  const ofPolls = pollCounts(ofSize, changedAgents(volume));
  const month = {
    calls: addQuantities(
      ofCallsTable(quantitiesOf(ofCalls, deployed), deployed),
      ofCallsTable(storageOf(ofCalls, deployed), deployed),
      { writeUnits: Math.min(ofCalls.events, receipts.publishers * (openSeconds / 60)) },
    ),
    agents: addQuantities(
      quantitiesOf(ofPolls, deployed),
      storageOf(ofPolls, deployed),
      deployed.schedules === 0 ? {} : { scheduledCalls: firings, sqsRequests: firings },
      { readUnits: receipts.pollers * (seconds / 60) },
    ),
    fixed: addQuantities(fixedOf(deployed)),
  };
  return { month, counts: sum([1, ofCalls], [1, ofPolls]), added: analyticsOf(ofCalls, ofPolls, deployed) };
};

/** The agents of all volumes. For the largest one, also polls in which one agent of a hundred changed. */
const pollScenarios: readonly PollScenario[] = volumes.map((volume, index) => ({
  agents: volume.agents,
  changes: [...(index === volumes.length - 1 ? [volume.agents / 100] : []), changedAgents(volume)],
}));

/** Reads the stack, counts with empty tables, and prices the counts. `onProgress` is called with the current activity. */
export const measure = async (
  tables: Parameters<typeof countAll>[0],
  onProgress: (what: string) => void = () => undefined,
) => {
  onProgress('reading the stack');
  const deployed = readDeployed();
  const counted = { deployed, ...(await countAll(tables, deployed, pollScenarios, { onProgress })) };
  return { ...counted, months: volumes.map((volume) => ({ volume, ...monthOf(volume, counted) })) };
};

export type Report = Awaited<ReturnType<typeof measure>>;

/** What forwarding a delivery takes: a run for its change at most, and one that reads the call's row and posts. */
const forwarded = (call: Counts): Counts => ({
  ...difference(call, call),
  forwarderRuns: 2,
  forwarderWaitMs: milliseconds.dynamodbCall + milliseconds.serviceCall,
  readUnits: Math.ceil(call.tableBytes / 4_096),
});

const forwardedQuantities = (call: Counts, deployed: Deployed): Quantities =>
  addQuantities(ofCallsTable(quantitiesOf(forwarded(call), deployed), deployed), { fifoRequests: forwardRequests });

/** What archiving a recording takes: a run of its own, and one of the publisher for each write of its row. */
const archived = (call: Counts): Counts => ({
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

const archivedQuantities = (call: Counts, deployed: Deployed): Quantities =>
  addQuantities(ofCallsTable(quantitiesOf(archived(call), deployed), deployed), {
    sqsRequests: archiving.messages,
    objectsPut: 1,
  });

const objectMonthDollars = (): number => dollarsOf({ objectGigabytes: archiving.megabytes / 1_024 });

const workTable = ({ calls, polls, deployed }: Report): string => {
  const largest = polls.at(-1);
  if (largest === undefined) throw new Error('No polls were counted');
  const ofPoll = `poll of ${largest.agents} agents`;
  const row = (name: string, counts: Counts, priced = quantitiesOf(counts, deployed)): readonly string[] => [
    name,
    ...[
      counts.tableWriteUnits + counts.indexWriteUnits,
      counts.readUnits,
      counts.events,
      counts.eventBytes,
      counts.tableBytes + counts.indexBytes,
    ].map(figure),
    dollarFigure(1_000_000 * dollarsOf(priced)),
  ];
  const rowOfCalls = (name: string, counts: Counts) =>
    row(name, counts, ofCallsTable(quantitiesOf(counts, deployed), deployed));
  return markdownTable({
    head: ['Work', 'Write units', 'Read units', 'Events', 'Bytes of events', 'Bytes in tables', '$ a million'],
    rows: [
      rowOfCalls('new call', calls.first),
      rowOfCalls('new call of two agents', calls.transferred),
      rowOfCalls('new call, more than an hour after its start', calls.late),
      rowOfCalls('repeat of a callback', calls.repeat),
      rowOfCalls('revision of a call', calls.revision),
      rowOfCalls('participant, with its call', calls.participant),
      row('delivery forwarded to an address', forwarded(calls.first), forwardedQuantities(calls.first, deployed)),
      row('recording of a call archived', archived(calls.first), archivedQuantities(calls.first, deployed)),
      row(`${ofPoll}, unchanged`, largest.unchanged),
      row(`${ofPoll}, unchanged, other process`, largest.byAnother),
      ...[...largest.changed].map(([count, counts]) => row(`${ofPoll}, ${count} changed`, counts)),
      row('second tick of a slot', largest.taken),
    ],
  });
};

const volumeTitle = ({ callsADay, agents }: Volume): string => `${figure(callsADay)} calls a day, ${agents} agents`;

const monthTable = ({ months }: Report): string => {
  const all = months.map(({ month }) => ({ ...month, total: addQuantities(...Object.values(month)) }));
  const row = (name: string, dollars: (month: (typeof all)[number]) => number) => [
    name,
    ...all.map(dollars).map(dollarFigure),
  ];
  const services = new Set(priced.map((name) => prices[name].service));
  const used = [...services].filter((service) => all.some(({ total }) => dollarsOf(total, service) !== 0));
  return markdownTable({
    head: ['$ a month', ...months.map(({ volume }) => volumeTitle(volume))],
    rows: [
      ...used.map((service) => row(service, ({ total }) => dollarsOf(total, service))),
      row('total', ({ total }) => dollarsOf(total)),
      row('of it for calls', ({ calls }) => dollarsOf(calls)),
      row('of it for agents', ({ agents }) => dollarsOf(agents)),
      row('of it fixed', ({ fixed }) => dollarsOf(fixed)),
    ],
  });
};

const percent = (share: number): string => `${100 * share} %`;

/** The assumptions behind the figures of a month, besides the counts. */
const assumptions = ({ calls, deployed }: Report): readonly string[] => {
  const { deliveries, revisedShare, transferredShare, participants, changedShare } = scenario;
  const fixed = fixedOf(deployed);
  return [
    `List prices of ${priceList.region} on ${priceList.date}, without free tiers.`,
    `Every callback comes ${deliveries} times. ${percent(revisedShare)} of the calls are revised, ` +
      `${percent(transferredShare)} have two agents, and there are ${participants || 'no'} participant records.`,
    `${openHoursADay} hours a day, ${daysAMonth} days a month, ${percent(changedShare)} of the agents have ` +
      'changed at every poll, and none at the others.',
    `Tables are full: rows expire as fast as they come. So are the archive (${deployed.archiveDays} days) and the logs ` +
      `(${deployed.logDays} days).`,
    ...lambdaAssumptions(),
    `A run waits ${milliseconds.dynamodbCall} ms for each call of DynamoDB, ${milliseconds.busCall} ms for EventBridge and ` +
      `${milliseconds.serviceCall} ms for getAgentLogins.`,
    `${percent(servedByAnother)} of the polls are made by another process than the one before.`,
    `The latest callback of an account is written by ${receipts.publishers} processes and read by ${receipts.pollers}, ` +
      'each once a minute.',
    ...(deployed.isInfrequent
      ? [
          'The Calls table has the class for infrequent access. By these counts that is cheaper if calls are stored for more ' +
            `than ${Math.ceil(infrequentPaysAfterDays(calls, deployed))} days.`,
        ]
      : []),
    `Fixed are ${fixed.metrics} metrics, as if each were written in every hour, ${fixed.alarmMetrics} metrics under alarms, ` +
      `${fixed.dashboards || 'no'} dashboard, ${fixed.secrets} secret that ${secretReaders.processes} processes read, and ` +
      `${deployed.servedQueues} queues into which Lambda looks ${queuePolling.pollers} times every ` +
      `${queuePolling.secondsAPoll} seconds.`,
    `A recording has ${archiving.megabytes} MB, and its host has it at once. In the bucket a million of them cost ` +
      `$${dollarFigure(1_000_000 * objectMonthDollars())} a month.`,
    `Left out are data transfer, alarms by mail, what subscribers do, and whatever fails. A key of your own is ` +
      `$${prices.keys.dollars} more, and its requests.`,
    `Lambda writes metrics of the kind \`EventCount\` for ${deployed.countedMappings} event sources. They are taken as free, which is unchecked: ` +
      `as metrics of your own, each would be $${dollarFigure(prices.metrics.dollars)}.`,
    `A query of CloudWatch Logs Insights is $${prices.searchedGigabytes.dollars} for each GB of log in the time that it searches.`,
    'Other regions are dearer: [DynamoDB](' +
      `${prices.readUnits.page}) costs some 1.2 times as much in Frankfurt and 1.5 times as much in São Paulo, and ` +
      `[Lambda](${prices.lambdaRequests.page}) the same. These factors are unchecked.`,
  ];
};

export const markdownReport = (report: Report): string =>
  [
    'What one piece of work takes; the dollars are without storage:',
    workTable(report),
    'What a month costs, in dollars:',
    monthTable(report),
    'What the memory of a function costs a month, in dollars; what is deployed is bold:',
    markdownTable(memoryTable(report.months.map(({ volume, counts }) => ({ title: volumeTitle(volume), counts })))),
    'These figures come from what was counted, and from these assumptions:',
    assumptions(report)
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
  ].join('\n\n');

export const analyticsReport = ({ months, deployed }: Report): string =>
  [
    analyticsTable(months),
    analyticsAssumptions(deployed)
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
  ].join('\n\n');

export const priceTable = (): string =>
  markdownTable({
    head: ['Price of', '$', 'for', 'unit', 'AWS page', 'found again'],
    rows: Object.values(prices).map(({ service, dollars, per, unit, page, checked }) => [
      service,
      String(dollars),
      figure(per),
      unit,
      page,
      checked ? 'yes' : 'unchecked',
    ]),
  });
