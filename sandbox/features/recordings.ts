import type { VariablesOf } from '../../functions/adapters/env.ts';
import { maxRecordingReceives } from '../../functions/archive-recordings/archive-recordings.ts';
import type { archiveRecordingsEnv } from '../../functions/archive-recordings/environment.ts';
import { isObject } from '../../lib/core/collections.ts';
import { RecordingMessage, recordingKind } from '../../lib/recordings/schema.ts';
import { eventSource } from '../../lib/storage/event.ts';
import type { SandboxFeature } from '../aws/aws-parts.ts';
import type { DeliveredEvent } from '../aws/event-bus.ts';
import { recordingsBucket } from '../frame/local-aws.ts';
import type { OwnVariables } from '../functions/function-environment.ts';
import { recordingsHost } from '../simulator/call-fields.ts';

export const recordings: SandboxFeature = ({ options, addQueue, addressOf, readQueue, log, counters }) => {
  const deadLetters = addQueue('callfeed-recordings-dead-letters', 'recordings-dead-letters.json');
  const queue = addQueue('callfeed-recordings', 'recordings.json', {
    redrive: { maxReceiveCount: maxRecordingReceives, to: deadLetters },
  });
  const addresses = { recordingsQueue: addressOf(queue), recordingsDeadLettersQueue: addressOf(deadLetters) };
  const variables = (simulatorUrl: string | undefined): OwnVariables<VariablesOf<typeof archiveRecordingsEnv>> => ({
    RECORDINGS_BUCKET: recordingsBucket,
    RECORDINGS_QUEUE_URL: addresses.recordingsQueue,
    RECORDINGS_DEAD_LETTERS_URL: addresses.recordingsDeadLettersQueue,
    RECORDING_HOSTS: recordingsHost,
    RECORDINGS_THROUGH: simulatorUrl,
  });
  const counted = { succeeded: 'recordingMessages', retried: 'recordingRetries' };
  for (const counter of Object.values(counted)) counters.add(counter, 0);
  if (options.recordings !== true || options.provider !== undefined) return { addresses, variables };

  log.follow((_, event) => {
    const message = recordingMessageOf(event);
    if (message !== undefined) queue.send(JSON.stringify(message), {}, 0);
  });
  readQueue(queue, 'archive-recordings', counted);
  return { addresses, variables, state: { recordingsBucket }, published: [recordingKind] };
};

const types = new Set(['Call Summary Recorded', 'Call Summary Revised', 'Call Participant Recorded']);

export const recordingMessageOf = ({
  source,
  'detail-type': type,
  detail,
}: DeliveredEvent): RecordingMessage | undefined => {
  if (source !== eventSource || !types.has(type)) return undefined;
  const { call, participant } = detail;
  const fields = [call, participant].flatMap((record) => (isObject(record) ? Object.keys(record) : []));
  const hasRecordings = fields.includes('recordings') || fields.includes('conferenceRecordings');
  return hasRecordings ? RecordingMessage.safeParse(detail).data : undefined;
};
