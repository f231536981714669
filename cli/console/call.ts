import type * as z from 'zod';
import { type CallRecord, mergedFacts } from '../../lib/calls/call-record.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { changedFields, type RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { Call, CallParticipant } from '../../lib/contract/rows.ts';
import { decompressText } from '../../lib/core/encoding.ts';
import { type WaitAnswer, waitAnswer } from '../calls/wait-answer.ts';
import { Problem } from '../frame/problem.ts';
import { openSound, shownRecordings } from '../recordings/sounds.ts';
import { type ConsoleSettings, rejectIfHidden, type ShownAccount, visible } from './accounts.ts';
import { StreamedAnswer } from './calls.ts';
import { customerText } from './customer-text.ts';
import { keptReadings } from './kept-readings.ts';

interface WithId {
  readonly id: string;
}

/** Reads a call with its participants: one request, and one more where recordings are archived. */
export const showCall = async (account: ShownAccount, { id }: WithId) => {
  const { client, clock } = account;
  const [found, recordings] = await Promise.all([client.call(id), shownRecordings(account, id)]);
  if (found === undefined) throw new Problem('There is no such call. It may be older than the table keeps calls.', 2);
  const { call, participants } = found;
  return {
    now: clock().toISOString(),
    call: call && withChanges(account, 'call', call, Call),
    customerText: call && customerText(account, call),
    participants: participants.map((one) => withChanges(account, 'participant', one, CallParticipant)),
    recordings,
  };
};

/** The calls of which it is kept what became of them. */
const maxWaits = 50;
const leastMs = 15_000;

/** What became of a missed call, and which waits a call ended: it reads the calls around it, so it is kept for a while. */
export const waitReader = ({ clock }: Pick<ConsoleSettings, 'clock'>) => {
  const waits = keptReadings<WaitAnswer>(clock, maxWaits);
  return async (account: ShownAccount, { id }: WithId) => {
    const { client } = account;
    const { call } = (await client.call(id)) ?? {};
    const key = `${account.account} ${id} ${call?.revision}`;
    const wait = call && (await waits.wanted(key, leastMs, async () => waitAnswer(await client.callWait(call))));
    return { now: clock().toISOString(), wait };
  };
};

export const readAsSent = async (account: ShownAccount, { id }: WithId) => {
  rejectIfHidden(account);
  const { call, participants = [] } = (await account.client.call(id)) ?? {};
  const deliveries = [call, ...participants].flatMap((row) => row?.deliveries ?? []);
  return { asSent: Object.fromEntries(deliveries.map(({ id, asSent }) => [id, decompressText(asSent)])) };
};

/** Merges the deliveries one after the other, as the table did, and notes what each of them changed. */
const withChanges = <Row extends Call | CallParticipant>(
  account: ShownAccount,
  kind: CallRecord['key']['kind'],
  row: Row,
  schema: z.core.$ZodType,
) => {
  const record = recordOf({ ...row, kind, version: row.revision });
  const shown = <Facts>(facts: Facts): Facts => visible(account, schema, facts);
  let before: RecordFacts = {};
  const changes = record.deliveries.map(({ id, receivedAt, source }, index) => {
    const after = mergedFacts(record.key, record.deliveries.slice(0, index + 1));
    const fields = changedFields(before, after);
    const changed = { before: shown(picked(before, fields)), after: shown(picked(after, fields)) };
    before = after;
    return { id, receivedAt, source, ...changed };
  });
  const { deliveries: _all, account: _account, callId: _id, lastChange: _change, revision, recordedAt, ...facts } = row;
  // Deliveries that came together made one revision, and an erasure made one without a delivery.
  const made = changes.filter(({ after }) => Object.keys(after).length > 0);
  const deliveries = changes.map((one) => ({
    ...one,
    /** The revision that it made; undefined if it made none, or if that is no longer known. */
    revision: made.length === revision ? made.indexOf(one) + 1 || undefined : undefined,
  }));
  const participantId = 'participantId' in row ? row.participantId : undefined;
  return { participantId, revision, recordedAt, facts: shown(facts), deliveries };
};

const picked = (facts: RecordFacts, fields: readonly string[]): RecordFacts =>
  Object.fromEntries(fields.filter((field) => field in facts).map((field) => [field, facts[field]]));

export const readSound = async (
  account: ShownAccount,
  { id: callId, recording: recordingId }: WithId & { readonly recording: string },
  { range }: { readonly range?: string | undefined },
): Promise<StreamedAnswer> => {
  rejectIfHidden(account);
  const sound = await openSound(account, { callId, recordingId }, range);
  if (sound === undefined) throw new Problem('There is no such recording.', 2);
  // A page on this address could do what the console's does, so the answer never has the type of a page.
  return new StreamedAnswer(sound.body, sound.headers, sound.headers['content-range'] === undefined ? 200 : 206);
};
