import { changedAgents, type Volume, volumes } from './assumptions.ts';
import {
  type CallCounts,
  type Counted,
  countAll,
  type EmptyTables,
  type PollCounts,
  type PollScenario,
} from './count-all.ts';
import { type Deployed, readDeployed, synthesisedResources } from './deployed.ts';
import { type Month, monthOf } from './month.ts';

/** The floors of all volumes; of the largest one also polls in which one of a hundred agents has changed. */
const pollScenarios: readonly PollScenario[] = volumes.map((volume, index) => ({
  agents: volume.agents,
  changes: [...(index === volumes.length - 1 ? [volume.agents / 100] : []), changedAgents(volume)],
}));

/** All there is to tell: what was counted, and what follows from it for each volume. */
export interface Report {
  readonly deployed: Deployed;
  readonly calls: CallCounts;
  /** From the smallest floor to the largest. */
  readonly polls: readonly PollCounts[];
  readonly months: readonly { readonly volume: Volume; readonly month: Month }[];
}

/** Prices what was counted. */
const reportOf = ({ calls, polls }: Counted, deployed: Deployed): Report => ({
  deployed,
  calls,
  polls,
  months: volumes.map((volume) => {
    const ofSize = polls.find(({ agents }) => agents === volume.agents);
    if (ofSize === undefined) throw new Error(`No polls of ${volume.agents} agents were counted`);
    return { volume, month: monthOf(volume, deployed, calls, ofSize) };
  }),
});

/** Reads the stack, counts at empty tables, and prices it. `onProgress` is told what is being done. */
export const measure = async (tables: EmptyTables, onProgress?: (what: string) => void): Promise<Report> => {
  onProgress?.('reading the stack');
  const deployed = readDeployed(synthesisedResources());
  const counted = await countAll(tables, deployed, pollScenarios, onProgress);
  return reportOf(counted, deployed);
};
