import { slotSeconds } from '../../functions/poll-agents/rate-limit.ts';
import { tickEntries } from '../../functions/poll-agents/ticks.ts';
import { type Counts, difference, sum } from '../meter/counts.ts';
import { analyticsOf } from './analytics-costs.ts';
import { type Counted, countAll, type PollScenario } from './count.ts';
import { type Deployed, readDeployed } from './deployed.ts';
import { addQuantities, dollarsOf, type Quantities } from './prices.ts';
import { gigabyte, ofCallsTable, quantitiesOf, storageOf } from './quantities.ts';
import {
  changedAgents,
  queuePolling,
  receipts,
  scenario,
  secretReaders,
  servedByAnother,
  type Volume,
  volumes,
} from './scenario.ts';

const { daysAMonth, openHoursADay } = scenario;
const seconds = daysAMonth * 24 * 3_600;
const openSeconds = daysAMonth * openHoursADay * 3_600;
/** The schedule sends a batch every minute. */
const firings = seconds / 60;

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

/** What the polls of a month take. `changes`: how many agents change at each poll in open hours. */
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

/** What is charged for whatever happens. */
export const fixedOf = ({ servedQueues, ownMetrics, alarmMetrics, dashboards, secrets, keys }: Deployed) => ({
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
