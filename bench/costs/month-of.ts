import { tickEntries } from '../../functions/poll-agents/ticks.ts';
import { slotSeconds } from '../../lib/feed/slot.ts';
import { agentStateMetrics, loggedMetrics, metrics } from '../../lib/metrics.ts';
import { queuePolling, secretReaders, servedByAnother, traced } from './assumptions.ts';
import type { CallCounts } from './count-calls.ts';
import type { PollCounts } from './count-polls.ts';
import { type Counts, difference, sum } from './counts.ts';
import type { Deployed } from './deployed.ts';
import type { Quantities } from './prices.ts';
import { gigabyte, quantitiesOf, together } from './quantities-of.ts';
import { changedAgents, scenario, type Volume } from './scenario.ts';

/** What a month is charged as: for calls, for agents, and whether anything happens or not. */
export interface Month {
  readonly calls: Quantities;
  readonly agents: Quantities;
  readonly fixed: Quantities;
}

const { daysAMonth, openHoursADay } = scenario;
const hours = daysAMonth * 24;
const seconds = hours * 3_600;
const openSeconds = daysAMonth * openHoursADay * 3_600;

/** A month in which the tables are as full as they get: rows expire as fast as they come. */
export const monthOf = (volume: Volume, deployed: Deployed, calls: CallCounts, polls: PollCounts): Month => {
  const ofCalls = sum([daysAMonth * volume.callsADay, callCounts(calls)]);
  const ofPolls = pollCounts(polls, changedAgents(volume));
  return {
    calls: together(
      quantitiesOf(ofCalls, deployed),
      keptOf(ofCalls, deployed),
      tracesOf(deployed, ofCalls.receiverRuns, openSeconds),
      tracesOf(deployed, ofCalls.publisherRuns, openSeconds),
    ),
    agents: together(
      quantitiesOf(ofPolls, deployed),
      keptOf(ofPolls, deployed),
      tracesOf(deployed, ofPolls.pollerRuns, seconds),
      tracesOf(deployed, ofPolls.publisherRuns, openSeconds),
      ticksOf(deployed),
    ),
    fixed: fixedOf(deployed),
  };
};

/** A call with all its callbacks. */
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

/** All polls of a month, and the second ticks of their slots. */
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

/** Each firing of the schedule sends a batch. */
const firings = seconds / 60;
const ticks = firings * tickEntries.length;

const ticksOf = ({ schedules }: Deployed): Quantities =>
  schedules === 0 ? {} : { scheduledCalls: firings, sqsRequests: firings };

/** What the work of a month leaves in tables, archive and logs once these are full. */
const keptOf = (counts: Counts, deployed: Deployed): Quantities => {
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

/** What is paid for though nothing happens. */
export const fixedOf = ({ servedQueues, alarmMetrics, dashboards, secrets, keys }: Deployed): Quantities => ({
  sqsRequests: (servedQueues * queuePolling.pollers * seconds) / queuePolling.secondsAPoll,
  metrics: Object.keys(metrics).length + agentStateMetrics.length + loggedMetrics.length,
  alarmMetrics,
  dashboards,
  secrets,
  secretReads: secretReaders.processes * secretReaders.readsAnHour * hours,
  ...(keys > 0 && { keys }),
});
