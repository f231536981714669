import { text } from 'node:stream/consumers';
import { type CallfeedEvent, type EventOf, parseEvent } from 'callfeed/contract';

const describeCall = ({ detail }: EventOf<'Call Summary Recorded'>): string => {
  const { callId, call } = detail;

  return `${callId} ${call.status ?? 'no status'} after ${call.callDurationSeconds ?? 0} s`;
};

const event: CallfeedEvent = parseEvent(JSON.parse(await text(process.stdin)));
if (event['detail-type'] === 'Call Summary Recorded') process.stdout.write(describeCall(event));
