import type { Telemetry } from '../ports.ts';

const ends = ['PollsFailed', 'PollsPassedOver'] as const;

/**
 * Tells of a poll that was due and brought no answer. How else it could have ended is told with it, as zeros: an alarm
 * weighs these against each other, and a metric that has had no value for long may be nothing to CloudWatch's FILL.
 */
export const tellNoAnswer = (telemetry: Pick<Telemetry, 'count'>, ended: (typeof ends)[number]): void => {
  for (const end of ends) telemetry.count(end, end === ended ? 1 : 0);
  telemetry.count('PollsAnswered', 0);
};
