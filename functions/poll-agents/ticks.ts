import { slotSeconds } from '../../lib/feed/slot.ts';

/** How often the schedule sends a batch of ticks, in minutes. */
export const scheduleMinutes = 1;

/** The four ticks of a minute, as SQS's SendMessageBatch takes them: the queue delays each to its slot. */
export const tickEntries = Array.from({ length: (scheduleMinutes * 60) / slotSeconds }, (_, index) => ({
  Id: `tick-${index}`,
  MessageBody: 'tick',
  DelaySeconds: index * slotSeconds,
}));

/** After so many seconds a tick is stale: later ones have long served its slot. The least that SQS can keep a message. */
export const tickLifeSeconds = 60;
