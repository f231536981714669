import { Readable } from 'node:stream';
import type * as z from 'zod';
import { recordingType } from '../../functions/archive-recordings/recording-url.ts';
import { type CallRecord, mergedFacts } from '../../lib/calls/call-record.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { changedFields, type RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { Call, CallParticipant } from '../../lib/contract/rows.ts';
import { decompressText } from '../../lib/core/encoding.ts';
import { type RecordingProblem, textOfProblem } from '../../lib/recordings/schema.ts';
import { isArchived, readObject, recordingsOf, sinceOf } from '../commands/recordings/stored-recordings.ts';
import type { Deployment } from '../connection/deployment.ts';
import { redacted } from '../output/redact.ts';
import { Problem } from '../problem.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { personalAdvice } from './calls.ts';

export interface DeliveryChanges {
  readonly id: string;
  readonly receivedAt: string;
  readonly source: 'report' | undefined;
  /** The revision that it made; undefined if it made none, or if that is no longer known. */
  readonly revision?: number | undefined;
  readonly before: RecordFacts;
  readonly after: RecordFacts;
}

export interface RecordAnswer {
  readonly participantId?: string | undefined;
  readonly revision: number;
  readonly recordedAt: string;
  readonly facts: RecordFacts;
  readonly deliveries: readonly DeliveryChanges[];
}

export interface CallAnswer {
  readonly now: string;
  readonly call: RecordAnswer | undefined;
  readonly participants: readonly RecordAnswer[];
  readonly recordings: readonly RecordingAnswer[];
}

/** The records as they were sent, by the id of their delivery. */
export interface AsSentAnswer {
  readonly asSent: Readonly<Record<string, string>>;
}

/** Reads a call with its participants: one request, and one more where recordings are archived. */
export const readCall = async (
  { clock, isPersonal, deployment }: Pick<ConsoleSettings, 'clock' | 'isPersonal' | 'deployment'>,
  shown: ShownAccount,
  callId: string,
): Promise<CallAnswer> => {
  const [found, recordings] = await Promise.all([shown.client.call(callId), readRecordings(deployment, shown, callId)]);
  if (found === undefined) throw new Problem('There is no such call. It may be older than the table keeps calls.', 2);
  const { call, participants } = found;
  return {
    now: clock().toISOString(),
    call: call && withChanges('call', call, Call, isPersonal),
    participants: participants.map((one) => withChanges('participant', one, CallParticipant, isPersonal)),
    recordings,
  };
};

export const readAsSent = async (
  { isPersonal }: Pick<ConsoleSettings, 'isPersonal'>,
  { client }: ShownAccount,
  callId: string,
): Promise<AsSentAnswer> => {
  if (!isPersonal) throw new Problem(personalAdvice, 2);
  const { call, participants = [] } = (await client.call(callId)) ?? {};
  const rows = [...(call === undefined ? [] : [call]), ...participants];
  const deliveries = rows.flatMap((row) => row.deliveries);
  return { asSent: Object.fromEntries(deliveries.map(({ id, asSent }) => [id, decompressText(asSent)])) };
};

/** Merges the deliveries one after the other, as the table did, and notes what each of them changed. */
const withChanges = (
  kind: CallRecord['key']['kind'],
  row: Call | CallParticipant,
  schema: z.core.$ZodType,
  isPersonal: boolean,
): RecordAnswer => {
  const record = recordOf({ ...row, kind, version: row.revision });
  const visible = (facts: RecordFacts): RecordFacts => (isPersonal ? facts : redacted(schema, facts));
  let before: RecordFacts = {};
  const deliveries = record.deliveries.map(({ id, receivedAt, source }, index): DeliveryChanges => {
    const after = mergedFacts(record.key, record.deliveries.slice(0, index + 1));
    const fields = changedFields(before, after);
    const changes = {
      id,
      receivedAt,
      source,
      before: visible(picked(before, fields)),
      after: visible(picked(after, fields)),
    };
    before = after;
    return changes;
  });
  const { deliveries: _all, account: _account, callId: _id, lastChange: _change, revision, recordedAt, ...facts } = row;
  // Deliveries that came together made one revision, and an erasure made one without a delivery.
  const made = deliveries.filter(({ after }) => Object.keys(after).length > 0);
  const revisionOf = (one: DeliveryChanges) =>
    made.length === revision ? made.indexOf(one) + 1 || undefined : undefined;
  return {
    ...('participantId' in row && { participantId: row.participantId }),
    revision,
    recordedAt,
    facts: visible(facts),
    deliveries: deliveries.map((one) => ({ ...one, revision: revisionOf(one) })),
  };
};

const picked = (facts: RecordFacts, fields: readonly string[]): RecordFacts =>
  Object.fromEntries(fields.filter((field) => field in facts).map((field) => [field, facts[field]]));

/** What became of a recording. None of it is personal; its sound is. */
export interface RecordingAnswer {
  readonly recordingId: string;
  readonly status: string;
  readonly since: string;
  readonly sizeBytes: number | undefined;
  readonly contentType: string | undefined;
  readonly askAgainAt: string | undefined;
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

const reasonOf = (problem: RecordingProblem | undefined): string | undefined => problem && textOfProblem(problem);

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
    // A page on this address could do what the console's does.
    'content-type': recordingType(found.contentType),
    'content-length': ContentLength,
    'accept-ranges': 'bytes',
    ...(ContentRange !== undefined && { 'content-range': ContentRange }),
  };
  return new Sound(ContentRange === undefined ? 200 : 206, headers, Body);
};
