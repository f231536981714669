import { Readable } from 'node:stream';
import type { RecordingProblem } from '../../lib/recordings/schema.ts';
import { recordingProblems } from '../../lib/recordings/schema.ts';
import type { Deployment } from '../connection/deployment.ts';
import { Problem } from '../problem.ts';
import { isArchived, readObject, recordingsOf, sinceOf } from '../recordings/objects.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { personalAdvice } from './calls.ts';

/** What became of a recording. None of it is personal; its sound is. */
export interface RecordingAnswer {
  readonly recordingId: string;
  readonly status: string;
  readonly since: string;
  readonly sizeBytes: number | undefined;
  readonly contentType: string | undefined;
  readonly askAgainAt: string | undefined;
  /** Why it is not there. */
  readonly reason: string | undefined;
}

/** What became of a call's recordings; empty where they are not archived, without a request. */
export const readRecordings = async (
  { recordings }: Pick<Deployment, 'recordings'>,
  { client }: Pick<ShownAccount, 'client'>,
  callId: string,
): Promise<readonly RecordingAnswer[]> => {
  const found = recordings === undefined ? [] : await client.recordings(callId);
  return found.map((one) => {
    const { recordingId, status, sizeBytes, contentType, askAgainAt, problem } = one;
    return { recordingId, status, since: sinceOf(one), sizeBytes, contentType, askAgainAt, reason: reasonOf(problem) };
  });
};

const reasonOf = (problem: RecordingProblem | undefined): string | undefined => problem && recordingProblems[problem];

/** A recording, or a part of it, on its way to the page's player. */
export class Sound {
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly body: Readable;

  constructor(status: 200 | 206, headers: Sound['headers'], body: Readable) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** Types that a browser plays. Anything else is sent as bytes: a page on this address could do what the console's does. */
const soundType = /^(?:audio|video)\/[\w.+-]+$/;

/** Reads a recording for the player; only where personal data is shown. */
export const readSound = async (
  { deployment, isPersonal }: Pick<ConsoleSettings, 'deployment' | 'isPersonal'>,
  { client }: Pick<ShownAccount, 'client'>,
  { callId, recordingId, range }: { callId: string; recordingId: string; range: string | undefined },
): Promise<Sound> => {
  if (!isPersonal) throw new Problem(personalAdvice, 2);
  const found = (await client.recordings(callId)).find((one) => one.recordingId === recordingId);
  if (found === undefined || !isArchived(found)) throw new Problem('There is no such recording.', 2);
  const { Body, ContentLength, ContentRange } = await readObject(recordingsOf(deployment), found, range);
  if (!(Body instanceof Readable)) throw new Problem('S3 sent no recording.');
  const headers = {
    'content-type': soundType.test(found.contentType) ? found.contentType : 'application/octet-stream',
    'content-length': ContentLength,
    'accept-ranges': 'bytes',
    ...(ContentRange !== undefined && { 'content-range': ContentRange }),
  };
  return new Sound(ContentRange === undefined ? 200 : 206, headers, Body);
};
