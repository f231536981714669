import type { MergeRules } from '../record/merge.ts';

/** Richest is a participation that has ended and has a recording: a delivery during the call has neither. */
export const participantMergeRules: MergeRules = {
  richness: ({ endedAt, recordings }) => [Number(endedAt !== undefined), Number(recordings !== undefined)],
  additive: ['recordings'],
};
