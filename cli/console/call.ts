import { Readable } from 'node:stream';
import type * as z from 'zod';
import { type CallRecord, mergedFacts } from '../../lib/calls/call-record.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { changedFields, type RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { Call, CallParticipant } from '../../lib/contract/rows.ts';
import { decompressText } from '../../lib/core/encoding.ts';
import { recordingType, textOfProblem } from '../../lib/recordings/schema.ts';
import { isArchived, readObject, recordingsOf, sinceOf } from '../commands/recordings/stored-recordings.ts';
import { redacted } from '../output/redact.ts';
import { Problem } from '../problem.ts';
import type { ShownAccount } from './accounts.ts';
import { personalAdvice, Stream } from './calls.ts';

export interface DeliveryChanges {
  readonly id: string;
  readonly receivedAt: string;
  readonly source: 'report' | undefined;
  /** The revision that it made; undefined if it made none, or if that is no longer known. */
  readonly revision?: number | undefined;
  readonly before: RecordFacts;
  readonly after: RecordFacts;
}

export interface RecordAnswer<Facts> {
  readonly participantId?: string | undefined;
  readonly revision: number;
  readonly recordedAt: string;
  readonly facts: Facts;
  readonly deliveries: readonly DeliveryChanges[];
}

type Besides = 'deliveries' | 'account' | 'callId' | 'lastChange' | 'revision' | 'recordedAt';
export type CallFacts = Omit<Call, Besides>;
export type ParticipantFacts = Omit<CallParticipant, Besides>;

interface WithId {
  readonly id: string;
}

/** Reads a call with its participants: one request, and one more where recordings are archived. */
export const readCall = async (account: ShownAccount, { id }: WithId) => {
  const { client, clock, isPersonal } = account;
  const [found, recordings] = await Promise.all([client.call(id), readRecordings(account, id)]);
  if (found === undefined) throw new Problem('There is no such call. It may be older than the table keeps calls.', 2);
  const { call, participants } = found;
  return {
    now: clock().toISOString(),
    call: call && withChanges('call', call, Call, isPersonal),
    participants: participants.map((one) => withChanges('participant', one, CallParticipant, isPersonal)),
    recordings,
  };
};

export type CallAnswer = Awaited<ReturnType<typeof readCall>>;

export const readAsSent = async ({ client, isPersonal }: ShownAccount, { id }: WithId) => {
  if (!isPersonal) throw new Problem(personalAdvice, 2);
  const { call, participants = [] } = (await client.call(id)) ?? {};
  const deliveries = [call, ...participants].flatMap((row) => row?.deliveries ?? []);
  return { asSent: Object.fromEntries(deliveries.map(({ id, asSent }) => [id, decompressText(asSent)])) };
};

export type AsSentAnswer = Awaited<ReturnType<typeof readAsSent>>;

/** Merges the deliveries one after the other, as the table did, and notes what each of them changed. */
const withChanges = <Row extends Call | CallParticipant>(
  kind: CallRecord['key']['kind'],
  row: Row,
  schema: z.core.$ZodType,
  isPersonal: boolean,
): RecordAnswer<Omit<Row, Besides>> => {
  const record = recordOf({ ...row, kind, version: row.revision });
  const visible = <Facts>(facts: Facts): Facts => (isPersonal ? facts : redacted(schema, facts));
  let before: RecordFacts = {};
  const deliveries = record.deliveries.map(({ id, receivedAt, source }, index): DeliveryChanges => {
    const after = mergedFacts(record.key, record.deliveries.slice(0, index + 1));
    const fields = changedFields(before, after);
    const changed = { before: visible(picked(before, fields)), after: visible(picked(after, fields)) };
    before = after;
    return { id, receivedAt, source, ...changed };
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

/** What became of a call's recordings, nothing of it personal; empty where they are not archived, without a request. */
const readRecordings = async ({ deployment, client }: ShownAccount, callId: string) => {
  const found = deployment.recordings === undefined ? [] : await client.recordings(callId);
  return found.map((recording) => {
    const { recordingId, status, sizeBytes, contentType, askAgainAt, problem } = recording;
    const reason = problem && textOfProblem(problem);
    return { recordingId, status, since: sinceOf(recording), sizeBytes, contentType, askAgainAt, reason };
  });
};

export const readSound = async (
  { deployment, client, isPersonal }: ShownAccount,
  { id, recording }: WithId & { readonly recording: string },
  range: string | undefined,
): Promise<Stream> => {
  if (!isPersonal) throw new Problem(personalAdvice, 2);
  const found = (await client.recordings(id)).find(({ recordingId }) => recordingId === recording);
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
