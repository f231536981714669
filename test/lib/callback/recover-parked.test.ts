import { describe, expect, it } from 'vitest';
import { recoverParked } from '../../../lib/callback/recover-parked.ts';
import { parkedIn } from '../../../lib/callback/schema.ts';
import { specificationParticipant, specificationSummary as summary } from '../../fixtures/calls.ts';
import { normalisedRecords, receivedAt } from '../../support/call-records.ts';
import {
  formPost,
  generousDeadline,
  memoryCallStore,
  memoryQuarantine,
  memoryReceiver,
  recordingTelemetry,
  slowStores,
  unavailable,
} from '../../support/memory-ports.ts';

/** The messages in the queue after posts that came while both tables were down. */
const parkedMessages = async (...posts: readonly unknown[]) => {
  const { receive, parking } = memoryReceiver({ calls: { record: unavailable }, quarantine: { store: unavailable } });
  for (const post of posts) await receive(formPost(post));
  return messagesOf(parking.bodies);
};

const messagesOf = (bodies: readonly string[]) => bodies.map((body, index) => ({ id: `m${index}`, body }));

const recovery = (replaced: object = {}) => {
  const ports = {
    deadline: generousDeadline,
    calls: memoryCallStore(),
    quarantine: memoryQuarantine(),
    telemetry: recordingTelemetry(),
  };
  return { ...ports, recover: recoverParked({ ...ports, ...replaced }) };
};

/** Broken content with a live key, which is quarantined for the account. */
const broken = '{"Apikey":"demo-key",';

describe('recoverParked', () => {
  it('stores each message in its table, with the time of its receipt', async () => {
    const { recover, calls, quarantine, telemetry } = recovery();
    const direct = memoryReceiver();
    await direct.receive(formPost(summary));

    expect(await recover(await parkedMessages(summary, broken))).toEqual([]);
    expect(calls.records()).toEqual(direct.calls.records());
    expect(calls.records()).toMatchObject([{ deliveries: [{ receivedAt }] }]);
    expect(quarantine.entries).toMatchObject([{ reason: 'broken-json', account: 'demo', receivedAt }]);
    expect(telemetry.counts).toEqual({ ParkedRecovered: 2, ChangesWritten: 1, EventsPublished: 0, RowsSkipped: 0 });
  });

  it('counts unknown words when they are stored, and not again when the message is repeated', async () => {
    const { recover, telemetry } = recovery();
    const messages = await parkedMessages({ ...summary, Status: 'Abandoned' }, broken);
    await recover([...messages, ...messages]);

    expect(telemetry.counts).toMatchObject({ RecordsWithUnknownWords: 1, UnknownStatus: 1 });
  });

  it('stores a repeated message once', async () => {
    const { recover, calls, telemetry } = recovery();
    const messages = await parkedMessages(summary);

    expect(await recover([...messages, ...messages, ...messages])).toEqual([]);
    expect(calls.records()).toMatchObject([{ version: 1 }]);
    expect(telemetry.counts).toMatchObject({ ParkedRecovered: 3, ChangesWritten: 1 });
  });

  it('returns the messages that it cannot parse, and stores the others', async () => {
    const { recover, calls, telemetry } = recovery();
    const [{ body } = { body: '' }] = await parkedMessages(summary);

    expect(await recover(messagesOf(['{', body, '{"kind":"other"}', '"x"']))).toEqual(['m0', 'm2', 'm3']);
    expect(calls.records()).toHaveLength(1);
    expect(telemetry.places()).toEqual(['parked-message', 'parked-message', 'parked-message']);
    expect(telemetry.counts).toMatchObject({ ParkedRecovered: 1 });
  });

  it('returns a message whose table is down', async () => {
    const messages = await parkedMessages(summary, broken);

    expect(await recovery({ calls: { record: unavailable } }).recover(messages)).toEqual(['m0']);
    expect(await recovery({ quarantine: { store: unavailable } }).recover(messages)).toEqual(['m1']);
  });

  it('gives each message of a batch a time limit of its own, however slow the tables are', async () => {
    const slow = slowStores();
    const posts = Array.from({ length: 9 }, (_, index) => ({ ...summary, monitorUCID: String(index + 1) }));

    expect(await recovery(slow).recover(await parkedMessages(...posts, broken))).toEqual([]);
    expect([slow.calls.records().length, slow.quarantine.entries.length]).toEqual([9, 1]);
  });

  it('quarantines what the table can never hold, rather than trying for ever', async () => {
    const { recover, quarantine } = recovery({ calls: { record: async () => 'rejected' } });

    expect(await recover(await parkedMessages(summary))).toEqual([]);
    expect(quarantine.entries).toMatchObject([{ reason: 'not-storable', account: 'demo', receivedAt }]);
  });
});

describe('Parked', () => {
  const [call, participant] = normalisedRecords([summary, specificationParticipant]).deliveries;

  it.each([
    ['a call', { kind: 'delivery', ...call }],
    ['a participant', { kind: 'delivery', ...participant }],
    ['a quarantine entry', { kind: 'quarantine', entry: { reason: 'broken-json', body: '{', receivedAt } }],
    [
      'one that came to the secret address',
      { kind: 'quarantine', entry: { reason: 'data-empty', viaSecret: true, body: '', receivedAt } },
    ],
  ])('preserves %s through the queue', (_title, parked) => {
    expect(parkedIn(JSON.stringify(parked))).toEqual(parked);
  });

  it.each([
    ['another kind', { kind: 'other' }],
    ['a delivery without a key', { kind: 'delivery', delivery: call?.delivery }],
    ['a text', 'x'],
    [
      'an entry that did not come to the secret address, and says so',
      { kind: 'quarantine', entry: { reason: 'data-empty', viaSecret: false, body: '', receivedAt } },
    ],
  ])('rejects %s', (_title, value) => {
    expect(parkedIn(JSON.stringify(value))).toBeUndefined();
  });
});
