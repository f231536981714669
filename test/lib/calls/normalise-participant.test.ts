import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeyedDelivery } from '../../../lib/callback/normalise-records.ts';
import { ParticipantFacts } from '../../../lib/calls/schema.ts';
import { type WireParticipantField, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { notesOf } from '../../../lib/telephony/field-kinds.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { specificationParticipant } from '../../fixtures/calls.ts';
import { normalisedRecords, originOf, participantFacts } from '../../support/posted-records.ts';

type Row = readonly [WireParticipantField | 'SkillID', string | number, keyof ParticipantFacts, unknown];

const rows: readonly Row[] = [
  ['AgentName', 'Asha Rao', 'agentName', 'Asha Rao'],
  ['Audio', 'https://r.example.com/1.mp3', 'recordings', ['https://r.example.com/1.mp3']],
  ['CallID', 88001, 'sourceCallId', '88001'],
  ['DID', '918000000000', 'did', '918000000000'],
  ['DialStatus', 'SUCCESS', 'dialStatus', 'success'],
  ['DialStatus', 'CallBarred', 'dialStatusAsSent', 'CallBarred'],
  ['EndTime', '2026-11-20 11:04:10', 'endedAt', '2026-11-20T05:34:10.000Z'],
  ['EndTime', 'later', 'notes', [{ field: 'endedAt', reason: 'unparsable-time', asSent: 'later' }]],
  ['ExitStatus', 'HANGUP', 'exitStatus', 'HANGUP'],
  ['ParticipantNumber', '09000000077', 'participantNumber', '09000000077'],
  ['PickupTime', '2026-11-20 11:00:18', 'pickedUpAt', '2026-11-20T05:30:18.000Z'],
  ['StartTime', '2026-11-20 11:00:02', 'startedAt', '2026-11-20T05:30:02.000Z'],
  ['StartTime', '2026-11-20 11:00:02', 'timeZone', 'Asia/Kolkata'],
  ['UCID', 7, 'ucid', '7'],
  ['SkillID', 17, 'extra', { SkillID: '17' }],
];

describe('a participant’s fields', () => {
  it.each(rows)('%s, sent as %s, is %s', (field, sent, fact, value) => {
    const facts = participantFacts({ [field]: sent });

    expect(facts).toMatchObject({ [fact]: value });
    expect(ParticipantFacts.parse(facts)).toEqual(facts);
    if (!['timeZone', 'extra', 'notes'].includes(fact)) expect(originOf(ParticipantFacts, fact)).toBe(field);
  });

  it.each(wireParticipantFields)('an object in place of %s is noted under a fact that comes from it', (field) => {
    const beside = { monitorUCID: '1', Status: 'Answered', Type: 'Inbound' };
    const { deliveries } = normalisedRecords([beside, { UCID: '1', ExitStatus: 'x', [field]: { a: '1' } }]);
    const notes = notesOf(deliveries[1]?.delivery.facts ?? {});

    expect(notes.map(({ reason }) => reason)).toContain('not-a-scalar');
    for (const note of notes) if (note.field !== 'callId') expect(originOf(ParticipantFacts, note.field)).toBe(field);
  });

  it('have a row for every field that the service sends, and for each of our facts', () => {
    const covered = new Set<string>(rows.map(([field]) => field));
    const made = new Set<string>(rows.map(([, , fact]) => fact));

    expect(wireParticipantFields.filter((field) => !covered.has(field))).toEqual([]);
    expect(Object.keys(ParticipantFacts.shape).filter((fact) => !made.has(fact))).toEqual(['participantNumberE164']);
  });

  it.each([
    ['the end 20 minutes after the pick-up', '2026-11-01 01:50:00', '05:50'],
    ['without a pick-up', '', undefined],
  ])('are read with times in their order where clocks go back: %s', (_title, PickupTime, pickedUpAt) => {
    const times = { StartTime: '2026-11-01 01:40:00', PickupTime, EndTime: '2026-11-01 01:10:00' };
    const facts = participantFacts(times, 'America/New_York');

    const read = [facts.startedAt, facts.pickedUpAt, facts.endedAt].map((at) => at?.slice(11, 16));
    expect(read).toEqual(['05:40', pickedUpAt, '06:10']);
  });

  it('leave out null and blanks', () => {
    expect(participantFacts({ Audio: null, EndTime: null, AgentName: '' })).toEqual({
      timeZone: 'Asia/Kolkata',
      exitStatus: 'x',
      ucid: '1',
    });
  });
});

const placed = (...records: readonly unknown[]) => normalisedRecords(records);

const idOf = ({ key }: KeyedDelivery) => (key.kind === 'participant' ? key.participantId : undefined);

/** The ids of the participants in a post. */
const idsIn = (...records: readonly unknown[]) => placed(...records).deliveries.flatMap((keyed) => idOf(keyed) ?? []);

const pick = (record: Readonly<Record<string, string>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, record[name]]));

const call = { monitorUCID: '41781234567890123', Status: 'Answered' };

describe('a participant', () => {
  const identifying = {
    UCID: '1',
    CallID: '9',
    ParticipantNumber: '1',
    StartTime: '2026-11-20 11:00:00',
    AgentName: 'Asha Rao',
  };

  it.each(fc.sample(fc.subarray(Object.keys(identifying)), { seed: 1, numRuns: 32 }).map((known) => [known]))(
    'is one of two in a post, and the same one when its end is told, where only %j is known',
    (known) => {
      const atStart = { ExitStatus: '', ...pick(identifying, known) };
      const end = { ExitStatus: 'HANGUP', EndTime: '2026-11-20 11:00:09', PickupTime: '2026-11-20 11:00:01' };
      const atEnd = { ...atStart, ...end, Audio: 'https://r.example/1' };
      const [first, second] = idsIn(call, atStart, atStart);

      expect(first).not.toBe(second);
      expect(idsIn(call, atEnd, atStart)).toEqual([first, second]);
      expect(idsIn(call, atEnd)).toEqual([first]);
    },
  );

  it('of another leg stays another one where only the ids of its leg are known', () => {
    expect(idsIn(call, { UCID: '1', ExitStatus: '' })).not.toEqual(idsIn(call, { UCID: '2', ExitStatus: '' }));
  });

  it('keeps its id when the account’s time zone is corrected', () => {
    const [inKolkata, inLondon] = ['Asia/Kolkata', 'Europe/London'].map((timeZone) =>
      normalisedRecords([specificationParticipant], { ...demoAccount, timeZone } as never).deliveries.map(idOf),
    );

    expect(inKolkata).toEqual(inLondon);
  });

  it.each(['2026:11:20 11:00:00', '2026/11/20T11:00:00.000', ' 2026-11-20  11:00:00'])(
    'is the same one where its start is spelt "%s"',
    (StartTime) => {
      const started = { ...specificationParticipant, StartTime: '2026-11-20 11:00:00' };

      expect(idsIn(call, { ...started, StartTime })).toEqual(idsIn(call, started));
    },
  );

  it.each([['AgentName'], ['ParticipantNumber'], ['StartTime']])('is another where %s is another', (field) => {
    const other = { ...specificationParticipant, [field]: '2026-11-20 12:00:00' };
    const [first, second] = placed(specificationParticipant, other).deliveries;

    expect(first?.key).not.toEqual(second?.key);
  });

  it.each([
    ['without its number, because keys get logged', specificationParticipant, '3d63264e4d180309bb04'],
    ['even if nothing in it identifies it', { ExitStatus: 'x' }, '4f53cda18c2baa0c0354'],
  ])('has an id that stays the same in each version, %s', (_title, record, id) => {
    expect(idsIn(call, record)).toEqual([id]);
  });
});
