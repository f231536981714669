import type { Telemetry } from '../ports.ts';

/**
 * Tells that rows were written of which the publisher has to hear. Whoever writes tells as well that this made no event
 * yet: an alarm compares the two, and a publisher that nobody runs says nothing of itself, of which CloudWatch's FILL may
 * make no zero. A sum does not mind where its zeros come from.
 */
export const tellChanges = (telemetry: Pick<Telemetry, 'count'>, changes: number): void => {
  if (changes === 0) return;
  telemetry.count('ChangesWritten', changes);
  telemetry.count('EventsPublished', 0);
};
