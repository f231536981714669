import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallRecord, type RecordKey, withDeliveries } from '../../../lib/calls/call-record.ts';
import { agentEntriesOf, recordOf, rowOf } from '../../../lib/calls/call-row.ts';
import type { Delivery, RecordFacts } from '../../../lib/calls/merge-deliveries.ts';
import type { RowChange } from '../../../lib/publish/events-of-change.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { callDelivery, holds, participantDelivery } from '../../support/arbitraries.ts';
import {
  callEventOf,
  callKey,
  changesFromDeliveries,
  changesFromFacts,
  participantKey,
} from '../../support/posted-records.ts';

describe('callEventOf', () => {
  const answered = { status: 'answered', timeZone: 'UTC', startedAt: '2026-11-20T05:30:00.000Z' };
  const ended = { ...answered, endedAt: '2026-11-20T05:34:10.000Z' };
  const disposed = { ...ended, dispositions: ['Sale'], agentIds: ['1', '2'] };
  const missed = { status: 'not-answered', timeZone: 'UTC' };

  const eventOf = (change: RowChange | undefined) => change && callEventOf(change);
  const only = (...said: readonly object[]) => changesFromFacts(said as never).at(-1);

  it('publishes a new call', () => {
    expect(eventOf(only(ended))).toEqual({
      type: 'Call Summary Recorded',
      key: 'demo#41781234567890123 call',
      detail: {
        schemaVersion: 1,
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        account: 'demo',
        callId: '41781234567890123',
        occurredAt: ended.endedAt,
        recordedAt: '2026-11-20T06:00:01.000Z',
        revision: 1,
        call: { ...ended, elapsedSeconds: 250 },
      },
    });
  });

  it('publishes a revision, with the fields that changed', () => {
    expect(eventOf(only(answered, disposed))).toMatchObject({
      type: 'Call Summary Revised',
      detail: {
        revision: 2,
        occurredAt: '2026-11-20T06:00:01.000Z',
        changedFields: ['agentIds', 'dispositions', 'elapsedSeconds', 'endedAt'],
        call: { ...disposed, elapsedSeconds: 250 },
      },
    });
  });

  it('publishes a number in E.164 too, where it has that form, and in each leg its own', () => {
    const short = { ...answered, customerNumber: '100', ucid: '1' };
    const long = { ...answered, customerNumber: '+919840012345', ucid: '2' };
    const read = { ...long, customerNumberE164: '+919840012345' };

    expect(eventOf(only(short, long))?.detail['call']).toEqual({ ...read, legs: [short, read] });
  });

  it('publishes a participant, and its revision', () => {
    const [first, second] = changesFromFacts(
      [{ timeZone: 'UTC' }, { timeZone: 'UTC', exitStatus: 'x' }],
      participantKey,
    );

    expect(eventOf(first)).toMatchObject({
      type: 'Call Participant Recorded',
      key: 'demo#41781234567890123 participant#a1',
      detail: { callId: '41781234567890123', participantId: 'a1', revision: 1, participant: { timeZone: 'UTC' } },
    });
    expect(eventOf(first)?.detail).not.toHaveProperty('changedFields');
    expect(eventOf(second)).toMatchObject({
      type: 'Call Participant Recorded',
      detail: { revision: 2, changedFields: ['exitStatus'], participant: { exitStatus: 'x' } },
    });
  });

  it.each([
    ['its end', ended, ended.endedAt],
    ['its start, without an end', answered, answered.startedAt],
    ['its receipt, without both', missed, '2026-11-20T06:00:00.000Z'],
  ])('dates a new call by %s', (_title, said, occurredAt) => {
    expect(eventOf(only(said))?.detail).toMatchObject({ occurredAt });
  });

  it('dates a new call by its write if its row has no delivery', () => {
    const { after } = only(missed) ?? {};
    const event = callEventOf({ sequence: '1', after: { ...after, deliveries: [], lastChange: undefined } });

    expect(event?.detail).toMatchObject({ occurredAt: after?.['recordedAt'] });
  });

  const poorer = only(ended, missed);
  const row = only(disposed)?.after ?? {};
  const entry = agentEntriesOf(recordOf(row), row)[0];

  it.each([
    ['a delivery that added nothing', poorer],
    ['an unchanged row that was written again', { sequence: '1', before: poorer?.after, after: poorer?.after }],
    ['a row that expired', { sequence: '1', before: poorer?.after }],
    ['the entry of a further agent', { sequence: '1', after: entry }],
    ['the removal of an entry', { sequence: '1', before: entry }],
    ['a row of another kind', { sequence: '1', after: { pk: 'x', kind: 'heartbeat' } }],
    ['a row without a kind', { sequence: '1', after: { pk: 'x' } }],
    ['a change without images', { sequence: '1' }],
  ])('publishes nothing for %s', (_title, change) => {
    expect(change && callEventOf(change)).toBeUndefined();
  });

  it('gives each revision, participant, call and account an id of its own', () => {
    const others = [
      { ...participantKey, participantId: 'x' },
      { ...callKey, callId: '2' },
      { ...callKey, account: 'other' },
    ];
    const keys = [callKey, participantKey, ...others];
    const changes = keys.flatMap((key) => changesFromFacts([answered, disposed], key));
    const ids = changes.map((change) => eventOf(change)?.detail.id);

    expect(new Set(ids).size).toBe(2 * keys.length);
  });

  it('gives an event the same id whenever its row was written', () => {
    const change = only(answered);
    const later = { ...change?.after, recordedAt: '2027-01-01T00:00:00.000Z' };

    expect(callEventOf({ sequence: '2', after: later })?.detail.id).toBe(eventOf(change)?.detail.id);
  });
});

describe('the replayed event of a call', () => {
  const replayedAt = '2026-11-21T10:00:00.000Z';

  /** The change that marking a row makes. */
  const replayMark = (row: Row | undefined, at = replayedAt): RowChange => ({
    sequence: 'r',
    before: row,
    after: { ...row, replayedAt: at },
  });
  const lastRow = (changes: readonly RowChange[]) => changes.at(-1)?.after;
  const at = (second: number) => `2026-11-20T06:00:0${second}.000Z`;

  const missed = { status: 'not-answered', timeZone: 'UTC' };
  const answered = { status: 'answered', timeZone: 'UTC', dispositions: ['Sale'], agentIds: ['1', '2'] };

  const ofReport = callDelivery.map((one): Delivery => ({ ...one, id: `report ${one.id}`, source: 'report' }));
  const kinds: readonly (readonly [string, fc.Arbitrary<Delivery>, RecordKey])[] = [
    ['call', callDelivery, callKey],
    ['call of which callbacks and the report tell', fc.oneof(callDelivery, ofReport), callKey],
    ['participant', participantDelivery, participantKey],
  ];

  it.each(kinds)(
    'equals the published event of a %s except for replayedAt, in whatever order deliveries were processed',
    (_kind, delivery, key) => {
      holds(
        fc.property(fc.array(delivery, { minLength: 1, maxLength: 6 }), (deliveries) => {
          const changes = changesFromDeliveries(deliveries, key);
          const told = changes.flatMap((change) => callEventOf(change) ?? []).at(-1);

          expect(callEventOf(replayMark(lastRow(changes)))).toEqual({
            ...told,
            detail: { ...told?.detail, replayedAt },
          });
        }),
        300,
      );
    },
  );

  /** The record with other facts in each delivery. */
  const withFacts = (record: CallRecord, facts: RecordFacts, erasure: object = {}) =>
    withDeliveries(
      record,
      record.deliveries.map((one) => ({ ...one, facts: { ...one.facts, ...facts }, ...erasure })),
      at(9),
    );
  it.each<[string, (record: CallRecord) => CallRecord]>([
    ['a person was erased', (record) => withFacts(record, { comments: ['erased'] }, { erasedAt: at(9) })],
    ['the call was derived again by other rules', (record) => withFacts(record, { timeZone: 'Europe/London' })],
  ])('equals the event of the revision that was made when %s', (_what, change) => {
    const said = { ...answered, comments: ['Mr Bose'] };
    const before = lastRow(changesFromFacts([{ ...missed, comments: ['x'] }, said])) ?? {};
    const after = rowOf(change(recordOf(before)), 730);
    const told = callEventOf({ sequence: '1', before, after });

    expect(told?.detail).toMatchObject({ revision: 3, changedFields: [expect.any(String)] });
    expect(callEventOf(replayMark(after))).toEqual({ ...told, detail: { ...told?.detail, replayedAt } });
  });

  it('equals the published event if it is made from a backup of the row, without the row before', () => {
    const change = changesFromFacts([missed, answered]).at(-1);

    expect(callEventOf({ sequence: '2', after: change?.after })).toEqual(change && callEventOf(change));
  });

  it.each<[string, RecordFacts]>([
    ['before its change was stored', { lastChange: undefined }],
    ['that an older version revised, keeping the unknown', { lastChange: { revision: 1, occurredAt: at(7) } }],
  ])('says what the deliveries show of a row from %s', (_title, older) => {
    const change = changesFromFacts([missed, answered]).at(-1);
    const after = { ...change?.after, ...older };

    expect(callEventOf(replayMark(after))?.detail).toMatchObject({
      occurredAt: at(1),
      changedFields: ['agentIds', 'dispositions', 'status'],
    });
  });

  const row = lastRow(changesFromFacts([missed, answered]));
  const told = { ...row, replayedAt };
  const [, , poorer] = changesFromFacts([missed, answered, { ...missed, hangupBy: 'user' }, missed]);

  it('is published once for every mark', () => {
    const later = '2026-11-22T10:00:00.000Z';

    expect(callEventOf(replayMark(told, later))?.detail).toMatchObject({ revision: 2, replayedAt: later });
    expect(callEventOf(replayMark(told))).toBeUndefined();
  });

  it.each([
    ['a row that is rewritten and so loses its mark', { sequence: '1', before: told, after: row }],
    ['a marked row that is rewritten unchanged', { sequence: '1', before: told, after: told }],
    ['a marked row that expires', { sequence: '1', before: told }],
    ['a mark that is not an instant', replayMark(row, 1 as never)],
    ['a mark on the entry of a further agent', replayMark(agentEntriesOf(recordOf(row ?? {}), row ?? {})[0])],
  ])('is not published for %s', (_title, change) => {
    expect(callEventOf(change)).toBeUndefined();
  });

  it('is a first publication if a marked row gets a new revision', () => {
    const [, change] = changesFromFacts([missed, answered]);
    const event = change && callEventOf({ ...change, before: { ...change.before, replayedAt } });

    expect(event?.detail).toMatchObject({ revision: 2 });
    expect(event?.detail).not.toHaveProperty('replayedAt');
  });

  it('is a first publication if a marked row appears, such as a row restored from a backup', () => {
    expect(callEventOf({ sequence: '1', after: told })?.detail).not.toHaveProperty('replayedAt');
  });

  it('leaves the record as it is: the mark is no fact, and the next delivery removes it', () => {
    expect(recordOf(told)).toEqual(recordOf(row ?? {}));
    expect(poorer?.after).not.toHaveProperty('replayedAt');
  });
});
