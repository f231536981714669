import type { CallfeedEvent } from 'callfeed/contract';

/** Somebody is to ring a customer whose call nobody answered. */
export interface FollowUp {
  /** The event's `detail.id`, which a repeat of the event has too: so it names the task. */
  readonly eventId: string;
  readonly account: string;
  readonly callId: string;
  readonly missedAt: string;
  readonly skillName: string | undefined;
  /** Personal. Absent where the number was withheld, and where the deployment leaves personal fields out of events. */
  readonly customerNumber: string | undefined;
}

/**
 * The task that follows from an event, if one does. The stack's rules ask the same, so that the queue stays short; here
 * it is decided.
 */
export const followUpOf = (event: CallfeedEvent): FollowUp | undefined => {
  if (!saysHowCallWent(event)) return undefined;
  const { id, account, callId, occurredAt, call } = event.detail;
  if (call.status !== 'not-answered' || call.type !== 'inbound') return undefined;

  const { endedAt: missedAt = occurredAt, skillName, customerNumber } = call;
  return { eventId: id, account, callId, missedAt, skillName, customerNumber };
};

type CallEvent = Extract<CallfeedEvent, { 'detail-type': 'Call Summary Recorded' | 'Call Summary Revised' }>;

/** Whether an event is the one that tells how a call went; later ones of a call repeat it. */
const saysHowCallWent = (event: CallfeedEvent): event is CallEvent =>
  event['detail-type'] === 'Call Summary Recorded' ||
  (event['detail-type'] === 'Call Summary Revised' &&
    ['status', 'type'].some((field) => event.detail.changedFields.includes(field)));
