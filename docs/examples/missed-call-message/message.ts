import { type CallfeedEvent, isMissed } from 'callfeed/contract';

/** A call that was missed, and what the chat says of it. */
export interface Message {
  /** Several events of a call make one message. */
  readonly call: { readonly account: string; readonly callId: string };
  readonly text: string;
}

/** The message for an event, if its call was missed. The stack's rules filter alike to keep the queue short; this decides. */
export const messageOf = (event: CallfeedEvent): Message | undefined => {
  if (event['detail-type'] !== 'Call Summary Recorded' && event['detail-type'] !== 'Call Summary Revised')
    return undefined;
  const { account, callId, occurredAt, call } = event.detail;
  if (!isMissed(call)) return undefined;

  const { customerNumber = 'a withheld number', skillName, startedAt = occurredAt, timeZone, elapsedSeconds } = call;
  const at = new Date(startedAt).toLocaleString('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  const facts = [
    `Missed call from ${customerNumber}`,
    skillName && `for ${skillName}`,
    `at ${at} (${timeZone})`,
    elapsedSeconds !== undefined && `after ${elapsedSeconds} s`,
  ];
  return { call: { account, callId }, text: escaped(`${facts.filter(Boolean).join(' ')}. Call ${callId}.`) };
};

/** Names come from outside. In a chat `<!channel>` would call everybody, and `<address|text>` would be a link. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
