import type { Readable } from 'node:stream';
import type { Recording } from '../../lib/contract/features.ts';
import { recordingType, textOfNote, textOfProblem } from '../../lib/recordings/schema.ts';
import type { Reader } from '../frame/reader.ts';
import { isArchived, readObject, recordingsOf, sinceOf } from './stored-recordings.ts';

/** A recording as the console shows it: nothing of it is personal. */
export interface ShownRecording
  extends Pick<Recording, 'recordingId' | 'status' | 'sizeBytes' | 'contentType' | 'askAgainAt'> {
  readonly since: string;
  /** Why it was not there, or may not be whole, for people. */
  readonly reason?: string | undefined;
}

/** The part of a recording that a player asks for, by its header `Range`; the whole, without `content-range`, if it asks for none. */
export interface Sound {
  readonly body: Readable;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

type RecordingsReader = Pick<Reader, 'deployment' | 'client'>;

/** What became of a call's recordings; empty where they are not archived, without a request. */
export const shownRecordings = async (
  { deployment, client }: RecordingsReader,
  callId: string,
): Promise<readonly ShownRecording[]> => {
  const found = deployment.recordings === undefined ? [] : await client.recordings(callId);
  return found.map((recording) => {
    const { recordingId, status, sizeBytes, contentType, askAgainAt, problem, note } = recording;
    const reason = status === 'archived' ? note && textOfNote(note) : problem && textOfProblem(problem);
    return { recordingId, status, since: sinceOf(recording), sizeBytes, contentType, askAgainAt, reason };
  });
};

/** Undefined if there is no such recording. */
export const openSound = async (
  { deployment, client }: RecordingsReader,
  { callId, recordingId }: { readonly callId: string; readonly recordingId: string },
  range: string | undefined,
): Promise<Sound | undefined> => {
  const found = (await client.recordings(callId)).find((one) => one.recordingId === recordingId);
  if (found === undefined || !isArchived(found)) return undefined;
  const { Body, ContentLength, ContentRange } = await readObject(recordingsOf(deployment), found, range);
  const headers = {
    'content-type': recordingType(found.contentType),
    'content-length': ContentLength,
    'accept-ranges': 'bytes',
    ...(ContentRange !== undefined && { 'content-range': ContentRange }),
  };
  return { body: Body, headers };
};
