import { describe, expect, it } from 'vitest';
import { Parked } from '../../../lib/callback/parked.ts';
import { recoverParked } from '../../../lib/callback/recover-parked.ts';
import { sentinelKey } from '../../fixtures/accounts.ts';
import {
  specificationParticipant,
  specificationSummary,
  specificationSummary as summary,
} from '../../fixtures/calls.ts';
import { normalisedRecords, receivedAt } from '../../support/call-records.ts';
import {
  formPost,
  generousDeadline,
  memoryCallStore,
  memoryQuarantine,
  memoryReceiver,
  recordingTelemetry,
  unavailable,
} from '../../support/memory-ports.ts';

/** What waits in the queue after posts that came while both tables were down. */
const parkedBodies = async (...posts: readonly unknown[]) => {
  const { receive, parking } = memoryReceiver({ calls: { record: unavailable }, quarantine: { store: unavailable } });
  for (const post of posts) await receive(formPost(post));
  return parking.bodies;
};

const recovery = (replaced: object = {}) => {
  const seen = {
    deadline: generousDeadline,
    calls: memoryCallStore(),
    quarantine: memoryQuarantine(),
    telemetry: recordingTelemetry(),
  };
  return { ...seen, recover: recoverParked({ ...seen, ...replaced }) };
};

const messages = (bodies: readonly string[]) => bodies.map((body, index) => ({ id: `m${index}`, body }));

/** A post that is not understood but names a live key, so that it is kept as the account's. */
const broken = '{"Apikey":"demo-key",';

describe('recoverParked', () => {
  it('puts what was parked where it belongs, with the time of its receipt', async () => {
    const { recover, calls, quarantine, telemetry } = recovery();

    expect(await recover(messages(await parkedBodies(summary, broken)))).toEqual([]);
    expect(calls.records()).toMatchObject([{ deliveries: [{ receivedAt }] }]);
    expect(quarantine.entries).toMatchObject([{ reason: 'broken-json', account: 'demo', receivedAt }]);
    expect(telemetry.counts).toEqual({ ParkedRecovered: 2, ChangesWritten: 1, EventsPublished: 0 });
  });

  it('makes the same record as a delivery that was stored at once', async () => {
    const { recover, calls, telemetry } = recovery();
    const direct = memoryReceiver();
    await direct.receive(formPost(summary));
    await recover(messages(await parkedBodies(summary)));

    expect(calls.records()).toEqual(direct.calls.records());
    expect(telemetry.counts).toMatchObject({ ChangesWritten: 1 });
  });

  it('stores a message that comes twice once', async () => {
    const { recover, calls, telemetry } = recovery();
    const bodies = await parkedBodies(summary);

    expect(await recover(messages([...bodies, ...bodies, ...bodies]))).toEqual([]);
    expect(calls.records()).toMatchObject([{ version: 1 }]);
    expect(telemetry.counts).toMatchObject({ ParkedRecovered: 3, ChangesWritten: 1 });
  });

  it('lets each message fail alone', async () => {
    const { recover, calls, telemetry } = recovery();
    const [body = ''] = await parkedBodies(summary);

    expect(await recover(messages(['{', body, '{"kind":"other"}', '"x"']))).toEqual(['m0', 'm2', 'm3']);
    expect(calls.records()).toHaveLength(1);
    expect(telemetry.places()).toEqual(['parked-message', 'parked-message', 'parked-message']);
    expect(telemetry.counts).toMatchObject({ ParkedRecovered: 1 });
  });

  it('lets a message come again while its table is down', async () => {
    const bodies = await parkedBodies(summary, broken);

    expect(await recovery({ calls: { record: unavailable } }).recover(messages(bodies))).toEqual(['m0']);
    expect(await recovery({ quarantine: { keep: unavailable } }).recover(messages(bodies))).toEqual(['m1']);
  });

  it('quarantines what the table can never take, rather than trying for ever', async () => {
    const { recover, quarantine } = recovery({ calls: { record: async () => 'rejected' } });

    expect(await recover(messages(await parkedBodies(summary)))).toEqual([]);
    expect(quarantine.entries).toMatchObject([{ reason: 'not-storable', account: 'demo', receivedAt }]);
  });
});

const keyed = normalisedRecords([
  { ...specificationSummary, Apikey: sentinelKey },
  specificationParticipant,
]).deliveries;

describe('Parked', () => {
  it.each([
    ['a call', { kind: 'delivery', ...keyed[0] }],
    ['a participant', { kind: 'delivery', ...keyed[1] }],
    ['a quarantine entry', { kind: 'quarantine', entry: { reason: 'broken-json', body: '{', receivedAt } }],
  ])('is %s again after the queue', (_title, parked) => {
    expect(Parked.parse(JSON.parse(JSON.stringify(parked)))).toEqual(parked);
  });

  it.each([
    ['another kind', { kind: 'other' }],
    ['a delivery without a key', { kind: 'delivery', delivery: keyed[0]?.delivery }],
    ['text', 'x'],
  ])('is not %s', (_title, value) => {
    expect(Parked.safeParse(value).success).toBe(false);
  });

  it('holds no key of an account', () => {
    expect(JSON.stringify(keyed)).not.toContain(sentinelKey);
  });
});
