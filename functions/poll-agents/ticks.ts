import { slotSeconds } from '../../lib/agents/rate-limit.ts';

/** How often the schedule sends a batch of ticks, in minutes. */
export const scheduleMinutes = 1;

/**
 * How far a batch of ticks reaches, in minutes. A schedule fires anywhere within its minute, so that two firings can lie
 * nearly two minutes apart; no slot in between may lack its tick. A second tick in a slot finds it taken.
 */
const reachMinutes = 2;

/** The ticks of a batch, as SQS's SendMessageBatch takes them (ten at most): the queue delays each to its slot. */
export const tickEntries = Array.from({ length: (reachMinutes * 60) / slotSeconds }, (_, index) => ({
  Id: `tick-${index}`,
  MessageBody: 'tick',
  DelaySeconds: index * slotSeconds,
}));

/** After so many seconds since it was sent a tick is stale, and the queue drops it: its slot is over. */
export const tickLifeSeconds = reachMinutes * 60 + slotSeconds;
