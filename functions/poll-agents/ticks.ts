import { slotSeconds } from './rate-limit.ts';

export const scheduleMinutes = 1;

/** Minutes that a batch of ticks covers: two firings can be nearly two minutes apart, and every slot needs its tick. */
const reachMinutes = 2;

/** The ticks of a batch as entries of SQS's SendMessageBatch (at most ten). The queue delays each to its slot. */
export const tickEntries = Array.from({ length: (reachMinutes * 60) / slotSeconds }, (_, index) => ({
  Id: `tick-${index}`,
  MessageBody: 'tick',
  DelaySeconds: index * slotSeconds,
}));

/** A tick is stale so many seconds after it was sent, because its slot is over. The queue drops it then. */
export const tickLifeSeconds = reachMinutes * 60 + slotSeconds;
