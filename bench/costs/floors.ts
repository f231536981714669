import type { FloorSize } from './count-all.ts';
import { changedAgents, volumes } from './scenario.ts';

/** The floors of all volumes; of the largest one also polls in which one of a hundred agents has changed. */
export const floors: readonly FloorSize[] = volumes.map((volume, index) => ({
  agents: volume.agents,
  changes: [...(index === volumes.length - 1 ? [volume.agents / 100] : []), changedAgents(volume)],
}));
