import { parseJson } from '../../lib/core/json.ts';
import { agentsTable, callsTable, quarantineTable } from '../../lib/storage/tables.ts';
import { callNumbered, example, justEnded } from '../examples.ts';
import { type Counts, difference } from './counts.ts';
import { type Deployed, readDeployed, synthesisedResources } from './deployed.ts';
import { startMeter } from './meter.ts';
import { createPublisher, createReceiver } from './metered-functions.ts';
import { type Month, monthOf } from './month.ts';
import { polledAgents, slotClock } from './poller.ts';
import { changedAgents, type Volume, volumes } from './prices.ts';

/** The agents of all volumes. For the largest one, also polls in which one agent of a hundred changed. */
const pollScenarios: readonly PollScenario[] = volumes.map((volume, index) => ({
  agents: volume.agents,
  changes: [...(index === volumes.length - 1 ? [volume.agents / 100] : []), changedAgents(volume)],
}));

export interface Report {
  readonly deployed: Deployed;
  readonly calls: CallCounts;
  /** From the fewest agents to the most. */
  readonly polls: readonly PollCounts[];
  readonly months: readonly { readonly volume: Volume; readonly month: Month }[];
}

const reportOf = ({ calls, polls }: Pick<Counted, 'calls' | 'polls'>, deployed: Deployed): Report => ({
  deployed,
  calls,
  polls,
  months: volumes.map((volume) => {
    const ofSize = polls.find(({ agents }) => agents === volume.agents);
    if (ofSize === undefined) throw new Error(`No polls of ${volume.agents} agents were counted`);
    return { volume, month: monthOf(volume, deployed, calls, ofSize) };
  }),
});

/** Reads the stack, counts with empty tables, and prices the counts. `onProgress` is called with the current activity. */
export const measure = async (tables: EmptyTables, onProgress?: (what: string) => void): Promise<Report> => {
  onProgress?.('reading the stack');
  const deployed = readDeployed(synthesisedResources());
  const counted = await countAll(tables, deployed, pollScenarios, onProgress && { onProgress });
  return reportOf(counted, deployed);
};

export interface CallCounts {
  readonly first: Counts;
  /** A new call that is recorded long after its start. */
  readonly late: Counts;
  readonly repeat: Counts;
  readonly revision: Counts;
  readonly transferred: Counts;
  /** What a participant adds to the callback of its call. */
  readonly participant: Counts;
}

/**
 * Posts the examples of the sandbox. `post` resolves with the counts of a callback, its events included; it posts a call that
 * has just ended, unless `isLate`.
 */
export const countCalls = async (post: (data: string, isLate?: true) => Promise<Counts>): Promise<CallCounts> => {
  const summary = example('call-summary');
  const first = await post(summary);
  const repeat = await post(summary);
  const revision = await post(example('with-disposition'));

  const both = parseJson(example('advanced-callback'));
  if (!both.ok || !Array.isArray(both.value)) throw new Error('The advanced callback is not a list any more');
  const [call] = both.value;
  const transferred = await post(JSON.stringify([call]));
  const again = await post(JSON.stringify([call]));
  const withParticipant = await post(JSON.stringify(both.value));

  const late = await post(callNumbered(999_999_999), true);

  return { first, late, repeat, revision, transferred, participant: difference(withParticipant, again) };
};

export interface PollCounts {
  readonly agents: number;
  readonly unchanged: Counts;
  /** A poll by a process that did not serve the last one, so its memory of the agents is old. */
  readonly byAnother: Counts;
  /** A second tick in a slot that was already polled. */
  readonly taken: Counts;
  readonly changed: ReadonlyMap<number, Counts>;
}

/** An account that two processes poll. `serve` resolves with the counts of a poll, its events included. */
export interface Polled {
  change(count: number): void;
  nextSlot(): void;
  serve(process: 0 | 1): Promise<Counts>;
}

export const countPolls = async (
  { change, nextSlot, serve }: Polled,
  { agents, changes }: { readonly agents: number; readonly changes: readonly number[] },
): Promise<PollCounts> => {
  const poll = (process: 0 | 1) => {
    nextSlot();
    return serve(process);
  };
  // All agents log in, the feed's row gets its usual length, and the second process reads the agents.
  for (const process of [0, 0, 0, 0, 1, 0] as const) await poll(process);

  const unchanged = await poll(0);
  const taken = await serve(1);
  const changed = new Map<number, Counts>();
  for (const count of changes) {
    change(count);
    changed.set(count, await poll(0));
  }
  await poll(1);
  await poll(0);
  return { agents, unchanged, taken, changed, byAnother: await poll(1) };
};

/** Empty tables in a running DynamoDB Local. */
export interface EmptyTables {
  readonly endpoint: string;
  readonly tableNames: { readonly calls: string; readonly agents: string; readonly quarantine: string };
}

export interface PollScenario {
  readonly agents: number;
  readonly changes: readonly number[];
}

export interface Counted {
  readonly calls: CallCounts;
  /** Of the posted list, if there is one. */
  readonly posted: readonly Counts[];
  readonly polls: readonly PollCounts[];
}

/** Runs the functions on each kind of work, and counts. `onProgress` is called with the current activity. */
export const countAll = async (
  { endpoint, tableNames }: EmptyTables,
  { deployment, metrics, subscription }: Pick<Deployed, 'deployment' | 'metrics' | 'subscription'>,
  scenarios: readonly PollScenario[],
  { list, onProgress = () => undefined }: { readonly list?: string; readonly onProgress?: (what: string) => void } = {},
): Promise<Counted> => {
  const time = slotClock();
  const { clock } = time;
  const tables = {
    [tableNames.calls]: callsTable,
    [tableNames.agents]: agentsTable,
    [tableNames.quarantine]: quarantineTable,
  };
  const meter = startMeter({ endpoint, tables, clock, deployment, metrics });
  const publish = createPublisher(meter, clock, subscription);
  const counted = async (work: Promise<void>): Promise<Counts> => {
    await work;
    await publish();
    return meter.take();
  };

  try {
    onProgress('counting callbacks');
    const receive = createReceiver(meter, clock, tableNames);
    const calls = await countCalls((data, isLate) => counted(receive(isLate ? data : justEnded(data, clock()))));
    const posted = list === undefined ? [] : [await counted(receive(justEnded(list, clock())))];

    const polls: PollCounts[] = [];
    for (const scenario of scenarios) {
      onProgress(`counting polls of ${scenario.agents} agents`);
      const { agents } = scenario;
      const settings = { userName: `account-${agents}`, agents, tableName: tableNames.agents, time };
      const { run, ...polled } = polledAgents(meter, settings);
      polls.push(await countPolls({ ...polled, serve: (process) => counted(run(process)) }, scenario));
    }
    return { calls, posted, polls };
  } finally {
    meter.stop();
  }
};
