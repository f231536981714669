import { Readable } from 'node:stream';
import { recordingType } from '../../lib/recordings/read-recording.ts';
import { textOfProblem } from '../../lib/recordings/schema.ts';
import { isArchived, readObject, recordingsOf, sinceOf } from '../commands/recordings/stored-recordings.ts';
import { Problem } from '../problem.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { personalAdvice, Stream } from './calls.ts';

type Settings = Pick<ConsoleSettings, 'deployment' | 'isPersonal'>;

/** What became of a call's recordings; empty where they are not archived, without a request. */
export const readRecordings = async (
  { deployment }: Pick<ConsoleSettings, 'deployment'>,
  { client }: ShownAccount,
  callId: string,
) => {
  const found = deployment.recordings === undefined ? [] : await client.recordings(callId);
  return found.map((recording) => {
    const { recordingId, status, sizeBytes, contentType, askAgainAt, problem } = recording;
    const reason = problem && textOfProblem(problem);
    return { recordingId, status, since: sinceOf(recording), sizeBytes, contentType, askAgainAt, reason };
  });
};

/** What became of a recording. None of it is personal; its sound is. */
export type RecordingAnswer = Awaited<ReturnType<typeof readRecordings>>[number];

/** Reads a recording, or the part of it that the page's player asks for. */
export const readSound = async (
  { deployment, isPersonal }: Settings,
  { client }: ShownAccount,
  { id: callId, recording: recordingId }: { readonly id: string; readonly recording: string },
  range: string | undefined,
): Promise<Stream> => {
  if (!isPersonal) throw new Problem(personalAdvice, 2);
  const found = (await client.recordings(callId)).find((one) => one.recordingId === recordingId);
  if (found === undefined || !isArchived(found)) throw new Problem('There is no such recording.', 2);
  const { Body, ContentLength, ContentRange } = await readObject(recordingsOf(deployment), found, range);
  if (!(Body instanceof Readable)) throw new Problem('S3 sent no recording.');
  const headers = {
    // A page on this address could do what the console's does.
    'content-type': recordingType(found.contentType),
    'content-length': ContentLength,
    'accept-ranges': 'bytes',
    ...(ContentRange !== undefined && { 'content-range': ContentRange }),
  };
  return new Stream(Body, headers, ContentRange === undefined ? 200 : 206);
};
