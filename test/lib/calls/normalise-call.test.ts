import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type CallFact, CallFacts } from '../../../lib/calls/schema.ts';
import { callFields, wireCallFields } from '../../../lib/telephony/call-fields.ts';
import { sentinelKey } from '../../fixtures/accounts.ts';
import { fieldRows, senderFields } from '../../fixtures/call-fields.ts';
import { specificationSummary } from '../../fixtures/calls.ts';
import { callFacts, normalisedCall, normalisedRecords } from '../../support/call-records.ts';

const found = (posted: object) => {
  const { key, delivery } = normalisedCall(posted);
  return { ...delivery.facts, callId: key.callId };
};

describe('a call summary’s fields', () => {
  it.each(fieldRows)('$field, sent as $sent, is $fact', ({ field, sent, fact, value }) => {
    const { callId, ...facts } = found({ monitorUCID: '1', [field]: sent });

    expect({ ...facts, callId }).toMatchObject({ [fact]: value });
    expect(CallFacts.parse(facts)).toEqual(facts);
  });

  it('stores the record under the account, and no key', () => {
    const keyed = normalisedCall({ monitorUCID: '1', UserName: 'Demo', Apikey: sentinelKey });

    expect(keyed.key.account).toBe('demo');
    expect(JSON.stringify(keyed)).not.toContain(sentinelKey);
    expect(keyed.delivery.facts).toEqual({ timeZone: 'Asia/Kolkata' });
  });

  it('come in alphabetical order, so that the content hash need not sort them', () => {
    const unknown = { Status: 'x', HangupBy: 'x', CustomerStatus: 'x', DialStatus: 'x', AgentStatus: 'x' };
    const facts = Object.keys(callFacts({ ...specificationSummary, ...unknown, zeta: '1', alpha: '2' }));

    expect(facts.length).toBeGreaterThan(30);
    expect(facts).toEqual(facts.toSorted());
    expect(Object.keys(callFacts({ zeta: '1', alpha: '2' }).extra ?? {})).toEqual(['alpha', 'zeta']);
  });

  it('have a row for every field that the service sends', () => {
    const covered = new Set<string>([...fieldRows.map(({ field }) => field), ...senderFields]);

    expect(wireCallFields.filter((field) => !covered.has(field))).toEqual([]);
  });

  it.each(Object.entries(callFields).filter(([, { fact }]) => fact in CallFacts.shape))(
    'have the fact of %s with its origin in the contract',
    (field, { fact }) => {
      expect(z.globalRegistry.get(CallFacts.shape[fact as CallFact])?.['origin']).toBe(field);
    },
  );

  it('have a row for each of our facts', () => {
    const made = new Set<string>(fieldRows.map(({ fact }) => fact));

    expect(Object.keys(CallFacts.shape).filter((fact) => !made.has(fact))).toEqual([]);
  });

  it('include no note for the specification’s sample', () => {
    expect(found(specificationSummary)).toEqual({
      callId: '41781234567890123',
      status: 'answered',
      type: 'inbound',
      startedAt: '2026-11-20T05:30:00.000Z',
      endedAt: '2026-11-20T05:34:10.000Z',
      timeZone: 'Asia/Kolkata',
      callDurationSeconds: 250,
      durationSeconds: 232,
      timeToAnswerSeconds: 18,
      conferenceSeconds: 0,
      customerNumber: '09000000042',
      customerStatuses: ['answered'],
      dialledNumber: '09000000001',
      dialStatuses: ['answered'],
      did: '918000000000',
      agentIds: ['agent1'],
      agentUniqueIds: ['5436'],
      agentNames: ['Asha Rao'],
      agentPhoneNumber: '09000000001',
      agentStatuses: ['answered'],
      phoneName: 'Desk 1',
      hangupBy: 'user',
      campaignName: 'Support',
      campaignStatus: 'online',
      skillName: 'General',
      location: 'Bengaluru',
      fallbackSteps: ['AgentDial'],
      transferTypes: ['no-transfer'],
      comments: ['Wants a call back'],
      recordings: ['https://recordings.example.com/demo/2026-11-20/41781234567890123.mp3'],
    });
  });
});

const keyOf = (posted: object) => {
  const keyed = normalisedRecords([{ CallerID: '09000000042', Status: 'Answered', ...posted }]).deliveries[0];
  return {
    callId: keyed?.key.callId,
    notes: keyed?.delivery.facts['notes'],
  };
};

const fallback = { field: 'callId', reason: 'fallback-identity' };

describe('identityOf', () => {
  it.each([
    ['monitorUCID', { monitorUCID: '1', UCID: '2', CallID: '3', DataUniqueId: '4' }, '1', undefined],
    ['CallID without it', { UCID: '2', CallID: '3', DataUniqueId: '4' }, '3', [fallback]],
    ['UCID where both are blank', { monitorUCID: 'None', CallID: '-', UCID: '2', DataUniqueId: '4' }, '2', [fallback]],
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

  it('identifies a call without any id by its content, the same each time', () => {
    const first = keyOf({ Duration: '00:00:07' });

    expect(first.callId).toMatch(/^content-[0-9a-f]{32}$/);
    expect(first.notes).toEqual([fallback]);
    expect(keyOf({ Duration: 7 })).toEqual(first);
    expect(keyOf({ Duration: 8 }).callId).not.toBe(first.callId);
  });

  it('skips an id that is too long for a key, and keeps it in a note', () => {
    const overLong = '9'.repeat(101);

    expect(keyOf({ monitorUCID: overLong, UCID: '2' })).toMatchObject({
      callId: '2',
      notes: [
        { ...fallback, asSent: overLong },
        { field: 'callId', reason: 'over-long' },
      ],
    });
  });

  it.each([
    ['too long', '8'.repeat(102), '9'.repeat(102)],
    ['lists', ['A1'], ['A2']],
    ['objects', { id: 1 }, { id: 2 }],
  ])('tells calls apart by ids that are %s, without another id', (_title, one, other) => {
    const [first, second] = [one, other].map((monitorUCID) => keyOf({ monitorUCID, Duration: 7 }).callId);

    expect(first).toMatch(/^content-/);
    expect(second).not.toBe(first);
    expect(keyOf({ monitorUCID: one, Duration: '00:00:07' }).callId).toBe(first);
  });

  it('identifies a call with a placeholder for its id as one without', () => {
    expect(keyOf({ monitorUCID: '0', Duration: 7 }).callId).toBe(keyOf({ Duration: 7 }).callId);
  });

  it('accepts an id of 100 characters', () => {
    expect(keyOf({ monitorUCID: '9'.repeat(100) }).callId).toBe('9'.repeat(100));
  });

  it('separates equal call ids of two accounts by their keys', () => {
    expect(normalisedRecords([{ monitorUCID: '1', Status: 'x' }]).deliveries[0]?.key).toEqual({
      kind: 'call',
      account: 'demo',
      callId: '1',
    });
  });
});
