import type { Message } from './message.ts';

/** How many messages can be received now, were received and are hidden, and were never visible yet. */
export const depthOf = (messages: readonly Message[], now: number) => {
  const waiting = messages.filter(({ visibleAt }) => visibleAt > now);
  const delayed = waiting.filter(({ receiveCount }) => receiveCount === 0).length;

  return { visible: messages.length - waiting.length, hidden: waiting.length - delayed, delayed };
};
