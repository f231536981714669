import type { Facts } from '../record/delivery.ts';
import type { MergeRules } from '../record/merge.ts';

/** Set by the service itself when the agent's time is up; the agent's own follows later. */
const automatic = /^wrap ?up time exceeded\b/i;

const dispositionRank = ({ dispositions }: Facts): number => {
  if (!Array.isArray(dispositions)) return 0;
  return dispositions.some((disposition) => !automatic.test(disposition)) ? 2 : 1;
};

const statusRank = ({ status }: Facts): number => {
  if (status === 'answered') return 2;
  return status === 'not-answered' ? 1 : 0;
};

const recordingRank = ({ recordings, conferenceRecordings }: Facts): number =>
  Number(recordings !== undefined || conferenceRecordings !== undefined);

/**
 * Richest is an answered call with the agent's own disposition and a recording. Practice: a call arrives at once without
 * a disposition and again minutes later with it; a poor copy (not answered, no recording) can follow either.
 */
export const callMergeRules: MergeRules = {
  richness: (facts) => [statusRank(facts), dispositionRank(facts), recordingRank(facts)],
  preferred: { dispositions: dispositionRank },
  additive: ['recordings', 'conferenceRecordings'],
};
