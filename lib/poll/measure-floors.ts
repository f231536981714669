import { floorStates } from '../agent-login/states.ts';
import type { Feed } from '../feed/feed.ts';
import type { Floor } from '../floor/floor.ts';
import { secondsBetween } from '../floor/stretch.ts';
import { agentStateMetric } from '../metrics.ts';
import type { Telemetry } from '../ports.ts';

/** What a run knows at its end. */
export interface Known {
  /** Of every account that is polled; undefined where somebody else has taken over. */
  readonly floors: readonly (Floor | undefined)[];
  /** Since when accounts that cannot be served have not been heard of, as ISO instants. */
  readonly unheardSince: readonly string[];
}

/**
 * Measures at the end of a run how old the oldest picture is, and how many agents are in each state. A floor that the run
 * does not know has no age, and with a part of the agents left out their numbers would be wrong.
 */
export const measureFloors = (telemetry: Telemetry, { floors, unheardSince }: Known, now: Date): void => {
  const pictured = floors.flatMap((floor) => (floor === undefined ? [] : pictureOf(floor.feed)));
  const ages = [...pictured, ...unheardSince].map((since) => Math.max(0, secondsBetween(since, now.toISOString())));
  if (ages.length > 0) telemetry.measure('FeedAgeSeconds', Math.max(...ages));

  const pictures = floors.flatMap((floor) => (floor?.feed.asOf === undefined ? [] : [floor.feed.counts]));
  if (pictures.length === 0 || pictures.length < floors.length) return;
  for (const state of floorStates) {
    const agents = pictures.reduce((sum, counts) => sum + (counts[state] ?? 0), 0);
    telemetry.measure(agentStateMetric(state), agents);
  }
};

/** Where there never was an answer, the age is that of the first failure. A poll may be dated to the second ahead of it. */
const pictureOf = ({ asOf, failingSince }: Feed): readonly string[] => {
  const since = asOf ?? failingSince;
  return since === undefined ? [] : [since];
};
