import { describe, expect, it } from 'vitest';
import { callEventOf } from '../../../lib/publish/call-event-of.ts';
import type { RowChange } from '../../../lib/publish/row-change.ts';
import { agentEntriesOf, recordOf } from '../../../lib/record/row.ts';
import { changesOf } from '../support/change-of.ts';
import { callKey, participantKey } from '../support/record-of.ts';

const answered = { status: 'answered', timeZone: 'UTC', startedAt: '2026-11-20T05:30:00.000Z' };
const ended = { ...answered, endedAt: '2026-11-20T05:34:10.000Z' };
const disposed = { ...ended, dispositions: ['Sale'], agentIds: ['1', '2'] };
const missed = { status: 'not-answered', timeZone: 'UTC' };

const eventOf = (change: RowChange | undefined) => change && callEventOf(change);
const only = (...said: readonly object[]) => changesOf(said as never).at(-1);

describe('callEventOf', () => {
  it('tells of a call that is first heard of', () => {
    expect(eventOf(only(ended))).toEqual({
      type: 'Call Summary Recorded',
      key: 'demo#41781234567890123 leg#main',
      detail: {
        schemaVersion: 1,
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        account: 'demo',
        occurredAt: ended.endedAt,
        recordedAt: '2026-11-20T06:00:01.000Z',
        callId: '41781234567890123',
        leg: 'main',
        revision: 1,
        call: { ...ended, elapsedSeconds: 250 },
      },
    });
  });

  it('tells of a revision, and what is different', () => {
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

  it('tells of a participant, and of its revision', () => {
    const [first, second] = changesOf([{ timeZone: 'UTC' }, { timeZone: 'UTC', exitStatus: 'x' }], participantKey);

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

  it('dates a new call by its write where its row, written by another, names no delivery', () => {
    const { after } = only(missed) ?? {};

    expect(callEventOf({ sequence: '1', after: { ...after, deliveries: [] } })?.detail).toMatchObject({
      occurredAt: after?.['recordedAt'],
    });
  });

  it('tells of a row that appears with a later revision, as one restored from a backup does', () => {
    const change = only(answered, disposed);

    expect(eventOf(change && { ...change, before: undefined })).toMatchObject({
      type: 'Call Summary Revised',
      detail: { revision: 2, changedFields: expect.arrayContaining(['status', 'dispositions']) },
    });
  });

  const poorer = only(ended, missed);
  const row = only(disposed)?.after ?? {};
  const entry = agentEntriesOf(recordOf(row), row)[0];

  it.each([
    ['a delivery that added nothing', poorer],
    ['an unchanged row that was written again', { sequence: '1', before: poorer?.after, after: poorer?.after }],
    ['a row that expired', { sequence: '1', before: poorer?.after }],
    ['an entry by which a further agent finds a call', { sequence: '1', after: entry }],
    ['an entry that is gone', { sequence: '1', before: entry }],
    ['a row of another kind', { sequence: '1', after: { pk: 'x', kind: 'heartbeat' } }],
    ['a row without a kind', { sequence: '1', after: { pk: 'x' } }],
    ['a change without images', { sequence: '1' }],
  ])('has nothing to tell of %s', (_title, change) => {
    expect(change && callEventOf(change)).toBeUndefined();
  });

  it('fails on a row that calls itself a call and is none', () => {
    expect(() => callEventOf({ sequence: '1', after: { kind: 'call' } })).toThrow();
  });

  it('makes the same event of the same change, however often it is read', () => {
    const change = only(answered, disposed);

    expect(eventOf(structuredClone(change))).toEqual(eventOf(change));
  });

  it('names each revision, leg, participant, call and account differently', () => {
    const keys = [
      callKey,
      { ...callKey, part: 'x' },
      { ...callKey, callId: '2' },
      { ...callKey, account: 'other' },
      { ...callKey, kind: 'participant' as const },
    ];
    const changes = keys.flatMap((key) => changesOf([answered, disposed], key));
    const ids = changes.map((change) => eventOf(change)?.detail.id);

    expect(new Set(ids).size).toBe(2 * keys.length);
  });

  it('names an event by what it tells of, not by when it was written', () => {
    const change = only(answered);
    const later = { ...change?.after, recordedAt: '2027-01-01T00:00:00.000Z' };

    expect(callEventOf({ sequence: '2', after: later })?.detail.id).toBe(eventOf(change)?.detail.id);
  });
});
