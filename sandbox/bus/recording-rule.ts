import { eventSource } from '../../lib/contract/call-events.ts';
import { RecordingMessage } from '../../lib/recordings/schema.ts';
import type { Envelope } from './event-log.ts';

const types = new Set(['Call Summary Recorded', 'Call Summary Revised', 'Call Participant Recorded']);

/** What the rule of a deployment sends to the queue of recordings for an event: the call, if it has recordings. */
export const recordingMessageOf = ({ source, 'detail-type': type, detail }: Envelope): RecordingMessage | undefined => {
  if (source !== eventSource || !types.has(type)) return undefined;
  const { call, participant } = detail;
  const fields = [call, participant].flatMap((record) =>
    typeof record === 'object' && record !== null ? Object.keys(record) : [],
  );
  const hasRecordings = fields.includes('recordings') || fields.includes('conferenceRecordings');
  return hasRecordings ? RecordingMessage.safeParse(detail).data : undefined;
};
