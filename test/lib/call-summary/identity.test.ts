import { describe, expect, it } from 'vitest';
import { understood } from '../support/facts-of.ts';

const keyOf = (posted: object) => {
  const keyed = understood([{ CallerID: '09000000042', Status: 'Answered', ...posted }]).deliveries[0];
  return {
    callId: keyed?.key.callId,
    leg: keyed?.key.part,
    notes: keyed?.delivery.facts['notes'],
  };
};

const fallback = { field: 'callId', reason: 'fallback-identity' };

describe('identityOf', () => {
  it.each([
    ['monitorUCID', { monitorUCID: '1', UCID: '2', CallID: '3', DataUniqueId: '4' }, '1', undefined],
    ['UCID without it', { UCID: '2', CallID: '3', DataUniqueId: '4' }, '2', [fallback]],
    ['UCID where it is blank', { monitorUCID: 'None', UCID: '2' }, '2', [fallback]],
    ['CallID without both', { CallID: '3', DataUniqueId: '4' }, '3', [fallback]],
    [
      'UCID where it is no text',
      { monitorUCID: [], UCID: '2' },
      '2',
      [
        { ...fallback, asSent: '[]' },
        { field: 'callId', reason: 'not-a-scalar' },
      ],
    ],
    ['DataUniqueId at last', { DataUniqueId: '4' }, '4', [fallback]],
  ])('names a call by %s', (_title, posted, callId, notes) => {
    expect(keyOf(posted)).toMatchObject({ callId, ...(notes && { notes }) });
    expect(keyOf(posted).notes).toStrictEqual(notes);
  });

  it('names a call without any id by its content, the same each time', () => {
    const first = keyOf({ Duration: '00:00:07' });

    expect(first.callId).toMatch(/^content-[0-9a-f]{32}$/);
    expect(first.notes).toEqual([fallback]);
    expect(keyOf({ Duration: 7 })).toEqual(first);
    expect(keyOf({ Duration: 8 }).callId).not.toBe(first.callId);
  });

  it.each([
    ['CallID, where it differs', { monitorUCID: '1', CallID: '3', UCID: '2' }, '3'],
    ['UCID without CallID', { monitorUCID: '1', UCID: '2' }, '2'],
    ['UCID where CallID is the call’s own id', { monitorUCID: '1', CallID: '1', UCID: '2' }, '2'],
    ['main where neither differs', { monitorUCID: '1', CallID: '1', UCID: '1' }, 'main'],
    ['main without both', { monitorUCID: '1' }, 'main'],
    ['main where the others are no texts', { monitorUCID: '1', UCID: [], CallID: {} }, 'main'],
    ['CallID where UCID names the call', { UCID: '2', CallID: '3' }, '3'],
    ['main where CallID is too long for a key', { monitorUCID: '1', CallID: '3'.repeat(101) }, 'main'],
  ])('names the leg by %s', (_title, posted, leg) => {
    expect(keyOf(posted).leg).toBe(leg);
  });

  it('passes over an id too long for a key, and keeps it in a note', () => {
    const overLong = '9'.repeat(101);

    expect(keyOf({ monitorUCID: overLong, UCID: '2' })).toMatchObject({
      callId: '2',
      notes: [
        { ...fallback, asSent: overLong },
        { field: 'callId', reason: 'over-long' },
      ],
    });
  });

  it('takes an id of 100 characters', () => {
    expect(keyOf({ monitorUCID: '9'.repeat(100) }).callId).toBe('9'.repeat(100));
  });

  it('keeps the same call id in another account apart by its key', () => {
    expect(understood([{ monitorUCID: '1', Status: 'x' }]).deliveries[0]?.key).toEqual({
      kind: 'call',
      account: 'demo',
      callId: '1',
      part: 'main',
    });
  });
});
