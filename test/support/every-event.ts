import type { FirehoseTransformationEvent } from 'aws-lambda';
import {
  archived,
  asked,
  erasedRecording,
  failed,
  givenUp,
  newRecording,
  recordingRow,
} from '../../functions/archive-recordings/recording-row.ts';
import { type BusEvent, eventsOf, type RowChange } from '../../lib/publish/events-of-change.ts';
import { projectEvent } from '../../lib/publish/project-event.ts';
import type { PersonalFields } from '../../lib/storage/rows.ts';
import { deployment, noAnswer, success } from '../deployment/index.ts';
import { specificationLogins } from '../fixtures/accounts.ts';
import { specificationParticipant, specificationSummary } from '../fixtures/calls.ts';
import { changesFromDeliveries, deliveryAt, normalisedRecords } from './posted-records.ts';

/** The row of a call, as far as its recording needs it. */
export const recordedCall = {
  kind: 'call',
  account: 'demo',
  callId: '41781234567890123',
  startedAt: '2026-11-20T05:30:00.000Z',
  recordings: ['https://recordings.example.com/demo/1.mp3'],
  expiresAt: 1_858_000_000,
};

const first = '2026-11-20T06:00:00.000Z';
const second = '2026-11-20T06:00:01.000Z';
const third = '2026-11-20T06:01:00.000Z';

const [url = ''] = recordedCall.recordings;

const waiting = asked(newRecording(recordedCall, url, recordedCall, first), first, second);

/** The object of an archived recording. */
const recordedObject = {
  bucket: 'recordings',
  contentType: 'audio/mpeg',
  sizeBytes: 3,
  sha256: 'ab'.repeat(32),
};

/** A recording in each of its states. */
export const recordingStates = {
  waiting,
  failed: failed(waiting, 'not-found', second, third),
  givenUp: givenUp(waiting, 'other-host', second),
  archived: archived(waiting, recordedObject, second),
  archivedWithNote: archived(waiting, { ...recordedObject, note: 'no-length' }, second),
  erased: erasedRecording(waiting, second),
};

/** The change of a recording's row that makes its event. */
export const archivingChange: RowChange = {
  sequence: '1',
  before: recordingRow(recordingStates.waiting),
  after: recordingRow(recordingStates.archived),
};

/** The events of posts about one call or participant, one after the other. */
const callEventsFrom = (...posts: readonly object[]): readonly BusEvent[] => {
  const keyed = posts.flatMap((post) => normalisedRecords([post]).deliveries);
  const deliveries = keyed.map(({ delivery }, second) =>
    deliveryAt(delivery.facts, `2026-11-20T06:00:0${second}.000Z`),
  );
  return changesFromDeliveries(deliveries, keyed[0]?.key).flatMap((change) => eventsOf(change));
};

/** The events of agents who log in, change and log out, and of a feed that fails in between. */
const agentEvents = async (): Promise<readonly BusEvent[]> => {
  const [asha, ravi] = specificationLogins;
  const changed = { ...asha, AgentState: 'Lunch', SkillName: 'Sales' };
  const logins = [success([asha, ravi]), success([changed]), ...Array(3).fill(noAnswer('connection')), success([asha])];
  const d = await deployment({ service: { logins } });
  await d.polls(logins.length);
  return d.changes().flatMap(eventsOf);
};

/** Events of every type, as they go to the bus: those of the specification's samples, and their revisions. */
export const everyEvent = async (personal: PersonalFields): Promise<readonly BusEvent[]> =>
  [
    ...callEventsFrom(specificationSummary, {
      ...specificationSummary,
      Disposition: 'Sale',
      StartTime: 'soon',
      Tenant: 'a',
    }),
    ...callEventsFrom(specificationParticipant),
    ...eventsOf(archivingChange),
    ...(await agentEvents()),
  ].map(projectEvent(personal));

/** What Firehose sends to the function that makes rows, for events as EventBridge delivers them. */
export const firehoseEvent = (events: readonly unknown[]): FirehoseTransformationEvent => ({
  invocationId: '00000000-0000-0000-0000-000000000000',
  deliveryStreamArn: 'arn:aws:firehose:eu-west-1:111122223333:deliverystream/callfeed',
  region: 'eu-west-1',
  records: events.map((event, index) => ({
    recordId: String(index),
    approximateArrivalTimestamp: Date.parse('2026-11-20T06:00:00Z'),
    data: Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)).toString('base64'),
  })),
});
