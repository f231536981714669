import { agentStateMetric, type Telemetry } from '../telemetry/metrics.ts';
import { loggedInStates } from '../telephony/agent-fields.ts';
import type { Feed } from './feed.ts';
import type { PolledAccount, TelephonyService } from './get-agent-logins.ts';
import { secondsBetween } from './interval.ts';
import type { Floor, FloorPorts } from './read-agents.ts';
import type { GetToken } from './token-cache.ts';
import type { Retention, WriteContext } from './write-agents.ts';

/** What polling takes. */
export interface PollPorts extends FloorPorts {
  readonly service: TelephonyService;
  readonly retention: Retention;
  /** Resolves after so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** One account's turn in one slot. */
export interface PollContext extends PollPorts {
  readonly account: PolledAccount;
  readonly getToken: GetToken;
  /** After this instant (milliseconds) nothing more is begun, so that the run comes to its end before it is ended. */
  readonly untilMs: number;
  /** The account has another key than the one that was refused: to wait any longer is no use. */
  readonly hasNewKey: boolean;
}

/** For how long a run may begin something. */
export const workWindowMs = 9_000;

/** How a run writes. */
export const writeContext = (run: PollContext): WriteContext => ({ ...run, timeZone: run.account.timeZone });

/** What a run knows at its end. */
export interface PolledFloors {
  /** Of every account that is polled; undefined where somebody else has taken over. */
  readonly floors: readonly (Floor | undefined)[];
  /** Since when accounts that cannot be served have not been heard of, as ISO instants. */
  readonly failingSince: readonly string[];
}

/**
 * Measures at the end of a run how old the oldest picture is, and how many agents are in each state. A floor that the run
 * does not know has no age, and with a part of the agents left out their numbers would be wrong.
 */
export const emitFloorMetrics = (telemetry: Telemetry, { floors, failingSince }: PolledFloors, now: Date): void => {
  const pictured = floors.flatMap((floor) => (floor === undefined ? [] : lastSeenAt(floor.feed)));
  const ages = [...pictured, ...failingSince].map((since) => Math.max(0, secondsBetween(since, now.toISOString())));
  if (ages.length > 0) telemetry.measure('FeedAgeSeconds', Math.max(...ages));

  const pictures = floors.flatMap((floor) => (floor?.feed.asOf === undefined ? [] : [floor.feed.counts]));
  if (pictures.length === 0 || pictures.length < floors.length) return;
  for (const state of loggedInStates) {
    const agents = pictures.reduce((sum, counts) => sum + (counts[state] ?? 0), 0);
    telemetry.measure(agentStateMetric(state), agents);
  }
};

/** Where there never was an answer, the age is that of the first failure. A poll may be dated to the second ahead of it. */
const lastSeenAt = ({ asOf, failingSince }: Feed): readonly string[] => {
  const since = asOf ?? failingSince;
  return since === undefined ? [] : [since];
};

const noAnswerMetrics = ['PollsFailed', 'PollsSkipped'] as const;

/**
 * Tells of a poll that was due and brought no answer. How else it could have ended is told with it, as zeros: an alarm
 * weighs these against each other, and a metric that has had no value for long may be nothing to CloudWatch's FILL.
 */
export const emitNoAnswerMetrics = (
  telemetry: Pick<Telemetry, 'count'>,
  ended: (typeof noAnswerMetrics)[number],
): void => {
  for (const end of noAnswerMetrics) telemetry.count(end, end === ended ? 1 : 0);
  telemetry.count('PollsSucceeded', 0);
};
