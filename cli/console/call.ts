import type * as z from 'zod';
import { type CallRecord, mergedFacts } from '../../lib/calls/call-record.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { changedFields, type RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { Call, CallParticipant } from '../../lib/contract/rows.ts';
import { decompressText } from '../../lib/core/encoding.ts';
import { features } from '../features.ts';
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

/** What became of a call's recordings; empty where they are not archived, without a request. */
const readRecordings = async (account: ShownAccount, callId: string) =>
  (await Promise.all(sounds.map(({ list }) => list(account, callId)))).flat();

const sounds = features.flatMap((feature) => feature.sounds ?? []);

export const readSound = async (
  account: ShownAccount,
  { id: callId, recording: recordingId }: WithId & { readonly recording: string },
  range: string | undefined,
): Promise<Stream> => {
  if (!account.isPersonal) throw new Problem(personalAdvice, 2);
  for (const { open } of sounds) {
    const sound = await open(account, { callId, recordingId }, range);
    // A page on this address could do what the console's does, so the type is never that of a page.
    if (sound !== undefined)
      return new Stream(sound.body, sound.headers, sound.headers['content-range'] === undefined ? 200 : 206);
  }
  throw new Problem('There is no such recording.', 2);
};
