import { describe, expect, it } from 'vitest';
import { CallFacts } from '../../../lib/calls/schema.ts';
import { wireCallFields } from '../../../lib/telephony/call-fields.ts';
import { notesOf } from '../../../lib/telephony/field-kinds.ts';
import { sentinelKey } from '../../fixtures/accounts.ts';
import { fieldRows, senderFields } from '../../fixtures/call-fields.ts';
import { specificationSummary } from '../../fixtures/calls.ts';
import { callFacts, normalisedCall, normalisedRecords, originOf } from '../../support/posted-records.ts';

const found = (posted: object) => {
  const { key, delivery } = normalisedCall(posted);
  return { ...delivery.facts, callId: key.callId };
};

/** What comes from no single field of the sender. */
const ownFacts = ['callId', 'timeZone', 'extra', 'notes', 'approximateAt', 'handleSeconds'];

describe('a call summary’s fields', () => {
  it.each(fieldRows)('%s, sent as %s, is %s', (field, sent, fact, value) => {
    const { callId, ...facts } = found({ monitorUCID: '1', [field]: sent });

    expect({ ...facts, callId }).toMatchObject({ [fact]: value });
    expect(CallFacts.parse(facts)).toEqual(facts);
    if (!ownFacts.includes(fact)) expect(originOf(CallFacts, fact)).toBe(field);
  });

  it.each(wireCallFields.filter((field) => !['Apikey', 'UserName'].includes(field)))(
    'an object in place of %s is noted under a fact that comes from it',
    (field) => {
      const notes = notesOf(normalisedCall({ monitorUCID: '1', [field]: { a: '1' } }).delivery.facts);

      expect(notes.map(({ reason }) => reason)).toContain('not-a-scalar');
      for (const note of notes) if (note.field !== 'callId') expect(originOf(CallFacts, note.field)).toBe(field);
    },
  );

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

  it('have a row for every field that the service sends, and for each of our facts', () => {
    const covered = new Set<string>([...fieldRows.map(([field]) => field), ...senderFields]);
    const made = new Set<string>(fieldRows.map(([, , fact]) => fact));

    expect(wireCallFields.filter((field) => !covered.has(field))).toEqual([]);
    for (const fact of Object.keys(CallFacts.shape).filter((name) => !ownFacts.includes(name)))
      expect(wireCallFields, fact).toContain(originOf(CallFacts, fact));
    // These two come from several fields, and not from those of a callback alone. E.164 forms follow from the merged row.
    expect(Object.keys(CallFacts.shape).filter((fact) => !made.has(fact) && !fact.endsWith('E164'))).toEqual([
      'approximateAt',
      'handleSeconds',
    ]);
  });

  it('have no note in the specification’s sample, and nothing that is undocumented', () => {
    expect(found(specificationSummary)).not.toHaveProperty('notes');
    expect(found(specificationSummary)).not.toHaveProperty('extra');
  });
});

/** Clocks go back to 01:00 at 02:00 on 1 November in New York, and forward to 03:00 at 02:00 on 8 March. */
const atClockChanges: readonly (readonly [what: string, start: string, end: string, lasts: string, times: string])[] = [
  ['an end that fits CallDuration as the second', '11-01 00:50:00', '11-01 01:40:00', '01:50:00', '04:50 06:40'],
  ['an end that fits CallDuration as the first', '11-01 00:50:00', '11-01 01:40:00', '00:50:01', '04:50 05:40'],
  ['an end that is smaller than the start', '11-01 01:50:00', '11-01 01:10:00', '00:20:00', '05:50 06:10'],
  ['the same without CallDuration', '11-01 01:50:00', '11-01 01:10:00', '', '05:50 06:10'],
  ['a start that fits CallDuration as the second', '11-01 01:50:00', '11-01 02:10:00', '00:20:00', '06:50 07:10'],
  ['the same without CallDuration, by its first', '11-01 01:50:00', '11-01 02:10:00', 'None', '05:50 07:10'],
  ['both as the first, if CallDuration fits none', '11-01 01:10:00', '11-01 01:20:00', '838:59:59', '05:10 05:20'],
  ['an end alone', '', '11-01 01:20:00', '00:10:00', '- 05:20'],
  ['an end with its zone', '11-01 01:50:00', '11-01T06:10:00Z', '', '05:50 06:10'],
  ['an end in the gap', '03-08 01:50:00', '03-08 02:10:00', '00:20:00', '06:50 07:10'],
  ['a start in the gap, by a clock that was late', '03-08 02:50:00', '03-08 03:10:00', '00:20:00', '06:50 07:10'],
  ['the same without CallDuration', '03-08 02:50:00', '03-08 03:10:00', '', '06:50 07:10'],
  ['an end before the start in every reading', '11-01 03:00:00', '11-01 01:40:00', '', '08:00 05:40'],
];

describe('start and end around a change of clocks', () => {
  it.each(atClockChanges)('are read together: %s', (_what, start, end, CallDuration, times) => {
    const [StartTime, EndTime] = [start, end].map((text) => text && `2026-${text}`);
    const facts = callFacts({ StartTime, EndTime, CallDuration }, 'America/New_York');

    expect([facts.startedAt, facts.endedAt].map((at) => at?.slice(11, 16) ?? '-').join(' ')).toBe(times);
    expect(facts.notes?.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/-local-time$/));
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
const noText = [
  { ...fallback, asSent: '[]' },
  { field: 'callId', reason: 'not-a-scalar' },
];

describe('identityOf', () => {
  it.each([
    ['monitorUCID', { monitorUCID: '1', UCID: '2', CallID: '3', DataUniqueId: '4' }, '1', undefined],
    ['CallID without it', { UCID: '2', CallID: '3', DataUniqueId: '4' }, '3', [fallback]],
    ['UCID where both are blank', { monitorUCID: 'None', CallID: '-', UCID: '2', DataUniqueId: '4' }, '2', [fallback]],
    ['UCID where it is no text', { monitorUCID: [], UCID: '2' }, '2', noText],
    ['DataUniqueId at last', { DataUniqueId: '4' }, '4', [fallback]],
  ])('names a call by %s', (_title, posted, callId, notes) => {
    expect(keyOf(posted)).toMatchObject({ callId, ...(notes && { notes }) });
    expect(keyOf(posted).notes).toStrictEqual(notes);
  });

  it('identifies a call without any id by its content, the same each time and in each version', () => {
    const first = keyOf({ Duration: '00:00:07' });

    expect(first.callId).toBe('content-bd49b8da4d5f62839052179084254778');
    expect(first.notes).toEqual([fallback]);
    expect(keyOf({ Duration: 7 })).toEqual(first);
    expect(keyOf({ Duration: 8 }).callId).not.toBe(first.callId);
  });

  it('identifies a call without any id by its recordings, however their links are signed', () => {
    const signed = (nth: number) => ({ AudioFile: `https://r.example/1?sv=1&sig=${nth}`, CallerConfAudioFile: '' });

    expect(keyOf(signed(1)).callId).toBe(keyOf(signed(2)).callId);
    expect(keyOf({ AudioFile: 'https://r.example/1' }).callId).not.toBe(
      keyOf({ AudioFile: 'https://r.example/2' }).callId,
    );
  });

  it('skips an id of more than 100 characters, which no key holds, and keeps it in a note', () => {
    expect(keyOf({ monitorUCID: '9'.repeat(100) }).callId).toBe('9'.repeat(100));
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

  it.each([
    ...['41781234567895555.0', '41781234567895555,000', '4.1781234567895555E16'],
    ...['4.1781234567895555e+16', '4,1781234567895555E+16', '4.17812345678955550E16'],
  ])('names a call by the digits of %s, of which none was lost', (monitorUCID) => {
    expect(keyOf({ monitorUCID, CallID: '3' })).toEqual(keyOf({ monitorUCID: '41781234567895555', CallID: '3' }));
  });

  it.each([
    ...['1.2345678901235E+19', '1.2345678901235e19', '1.2345678901235E+019'],
    ...['4,17812E+16', '4E16', '4.178123456789555E16'],
  ])('names nobody by %s, which lost digits: another id does, or the content beside it', (monitorUCID) => {
    const rounded = { field: 'callId', reason: 'rounded-id' };
    const notes = [{ ...fallback, asSent: monitorUCID }, rounded];

    expect(keyOf({ monitorUCID, CallID: '3' })).toEqual({ callId: '3', notes });
    const byContent = ['1', '2', '2'].map((AgentID) => keyOf({ monitorUCID, AgentID }));
    expect(byContent).toMatchObject(Array(3).fill({ callId: expect.stringMatching(/^content-/), notes }));
    expect(new Set(byContent.map(({ callId }) => callId)).size).toBe(2);
    expect(keyOf({ monitorUCID: `9${monitorUCID.slice(1)}`, AgentID: '1' }).callId).not.toBe(byContent[0]?.callId);
  });

  it.each(['1417812345.6789', '12345678901234e56', '1.25E1', '4.1E-5', '4.1.0E16', 'a.0', '5e', 'e5'])(
    'names a call by %s as it is: no number of a program',
    (monitorUCID) => {
      expect(keyOf({ monitorUCID, CallID: '3' })).toEqual({ callId: monitorUCID, notes: undefined });
    },
  );

  it.each(['0.0', '-1.0', '+0,00'])('takes %s for a placeholder', (monitorUCID) => {
    expect(keyOf({ monitorUCID, CallID: '3' }).callId).toBe('3');
  });

  it('reads a long row of zeros in an id at once', () => {
    const zeros = '0'.repeat(1_000_000);

    expect(keyOf({ monitorUCID: `1.${zeros}1E16`, CallID: '3' }).callId).toBe('3');
    expect(keyOf({ monitorUCID: `1.${zeros}1`, CallID: '3' }).callId).toBe('3');
  });
});

/** What a transfer or conference makes of a record. */
describe('a transferred call', () => {
  const lists = {
    AgentID: 'agentIds',
    AgentUniqueID: 'agentUniqueIds',
    AgentName: 'agentNames',
    Disposition: 'dispositions',
    Comments: 'comments',
    TransferredTo: 'transferredTo',
    FallBackRule: 'fallbackSteps',
  };
  it.each<[field: string, sent: string, facts: object]>([
    ...Object.entries(lists).map(([field, fact]): [string, string, object] => [
      field,
      'one -> two -> three',
      { [fact]: ['one', 'two', 'three'] },
    ]),
    ['AgentStatus', 'answered -> user_disconnected', { agentStatuses: ['answered', 'user-disconnected'] }],
    ['CustomerStatus', 'answered -> Busy', { customerStatuses: ['answered', 'busy'] }],
    ['DialStatus', 'ring -> not_answered', { dialStatuses: ['ring', 'not-answered'] }],
    ['TransferType', 'Agent -> Phone Number', { transferTypes: ['agent', 'phone-number'] }],
    ['AgentID', 'a->b', { agentIds: ['a', 'b'] }],
    ['AgentUniqueID', '1->2', { agentUniqueIds: ['1', '2'] }],
    ['FallBackRule', 'AgentDial->VoiceMail', { fallbackSteps: ['AgentDial', 'VoiceMail'] }],
    ['TransferredTo', '->1002->General', { transferredTo: ['1002', 'General'] }],
    ['TransferredTo', ' -> 1002 -> General', { transferredTo: ['1002', 'General'] }],
    ['AgentStatus', 'answered->user_disconnected', { agentStatuses: ['answered', 'user-disconnected'] }],
    ['CustomerStatus', 'answered->Busy', { customerStatuses: ['answered', 'busy'] }],
    ['DialStatus', 'ring->not_answered', { dialStatuses: ['ring', 'not-answered'] }],
    ['TransferType', 'Agent->Skill', { transferTypes: ['agent', 'skill'] }],
    ['AudioFile', 'https://r/1->https://r/2', { recordings: ['https://r/1', 'https://r/2'] }],
    ['CallerConfAudioFile', 'https://r/1->https://r/2', { conferenceRecordings: ['https://r/1', 'https://r/2'] }],
    // People write arrows without blanks.
    ['AgentName', 'from A->B', { agentNames: ['from A->B'] }],
    ['Comments', 'from A->B', { comments: ['from A->B'] }],
    ['Disposition', 'from A->B', { dispositions: ['from A->B'] }],
  ])('joins %s with arrows, which become a list: %s', (field, sent, facts) => {
    expect(callFacts({ [field]: sent })).toMatchObject(facts);
  });

  it.each([
    ['UCID', 'ucid'],
    ['CallID', 'sourceCallId'],
    ['DataUniqueId', 'dataUniqueId'],
    ['UUI', 'linkedCallId', (id: string) => `SkillTransfer-${id}~asha`],
    [
      'AgentUniqueID',
      'agentUniqueIds',
      (id: string) => `12 -> ${id}`,
      (id?: string): unknown => ['12', ...(id ? [id] : [])],
    ],
  ] as const)(
    'has every digit of %s, or none of them',
    (field, fact, sentAs = String, readAs = (id?: string): unknown => id) => {
      const factsOf = (id: string) => callFacts({ [field]: sentAs(id) });

      for (const id of ['41781234567895555', '41781234567895555.0', '4.1781234567895555E16'])
        expect(factsOf(id)).toMatchObject({ [fact]: readAs('41781234567895555') });
      const rounded = factsOf('4.17812E+16');
      expect(rounded[fact]).toEqual(readAs());
      expect(rounded.notes).toContainEqual({
        field: fact,
        reason: 'rounded-id',
        ...(fact !== 'linkedCallId' && { asSent: sentAs('4.17812E+16') }),
      });
    },
  );

  it('keeps the place of a leg without an id', () => {
    expect(callFacts({ AgentUniqueID: '12 -> 0 -> 13' })).toMatchObject({ agentUniqueIds: ['12', '0', '13'] });
  });

  it('to a skill is a second call that names the first in its UUI', () => {
    const posted = {
      monitorUCID: '41781234567890999',
      Status: 'Answered',
      UUI: 'SkillTransfer-41781234567890123~agent1',
    };

    expect(normalisedRecords([posted]).deliveries).toMatchObject([
      {
        key: { callId: '41781234567890999' },
        delivery: { facts: { linkedCallId: '41781234567890123', uui: posted.UUI } },
      },
    ]);
  });

  it.each(['order 7', 'SkillTransfer-x~agent1', 'SkillTransfer-1.5~a', 'SkillTransfer-7', 'x SkillTransfer-7~a'])(
    'names no other call in the UUI "%s"',
    (UUI) => {
      expect(callFacts({ UUI })).toEqual({ timeZone: 'Asia/Kolkata', uui: UUI });
    },
  );
});

/** What arrives in production beyond the specification: the values of single fields. */
describe('the receiver survives', () => {
  it.each(['monitorUCID', 'MonitorUCID', 'monitorUcid', 'ucid', 'UCID'])('the call’s id under the key %s', (key) => {
    expect(normalisedRecords([{ [key]: '7', Status: 'Answered' }]).deliveries[0]?.key.callId).toBe('7');
  });

  it.each(['0', '00000', '-1', 'NA', 'N/A', 'undefined'])('"%s" in place of an id, which is blank', (placeholder) => {
    const ids = { CallID: placeholder, UCID: placeholder, DataUniqueId: placeholder };
    const [call, participant] = normalisedRecords([
      { ...ids, monitorUCID: placeholder, DataUniqueId: '7', Status: 'Answered' },
      { ...ids, ExitStatus: 'x' },
    ]).deliveries;

    expect(callFacts(ids)).toEqual({ timeZone: 'Asia/Kolkata' });
    expect(call?.key.callId).toBe('7');
    expect(participant?.key.callId).toBe('7');
    expect(participant?.delivery.facts).toEqual({
      extra: { DataUniqueId: placeholder },
      exitStatus: 'x',
      timeZone: 'Asia/Kolkata',
    });
  });

  it.each([
    ['CallDuration', '250', 250],
    ['AgentID', '1001', 1001],
    ['CallerID', '9000000042', 9000000042],
    ['AgentUniqueID', '5436', 5436],
    ['SkillID', 'true', true],
  ])('a scalar as text and as number: %s', (field, text, scalar) => {
    expect(callFacts({ [field]: scalar })).toEqual(callFacts({ [field]: text }));
  });
});
