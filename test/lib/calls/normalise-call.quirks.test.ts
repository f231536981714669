import { describe, expect, it } from 'vitest';
import { deployment } from '../../deployment/index.ts';
import { callFacts, normalisedRecords } from '../../support/call-records.ts';

/** What a transfer or conference makes of a record. */
describe('a transferred call', () => {
  it.each([
    ['AgentID', 'agentIds'],
    ['AgentUniqueID', 'agentUniqueIds'],
    ['AgentName', 'agentNames'],
    ['Disposition', 'dispositions'],
    ['Comments', 'comments'],
    ['TransferredTo', 'transferredTo'],
    ['FallBackRule', 'fallbackSteps'],
  ])('joins %s with arrows, which become a list', (field, fact) => {
    expect(callFacts({ [field]: 'one -> two -> three' })).toMatchObject({ [fact]: ['one', 'two', 'three'] });
  });

  it.each([
    ['AgentStatus', 'answered -> user_disconnected', { agentStatuses: ['answered', 'user-disconnected'] }],
    ['CustomerStatus', 'answered -> Busy', { customerStatuses: ['answered', 'busy'] }],
    ['DialStatus', 'ring -> not_answered', { dialStatuses: ['ring', 'not-answered'] }],
    ['TransferType', 'Agent -> Phone Number', { transferTypes: ['agent', 'phone-number'] }],
  ])('joins %s with arrows, which become a list of words', (field, sent, facts) => {
    expect(callFacts({ [field]: sent })).toMatchObject(facts);
  });

  it.each([
    ['AgentID', 'a->b', { agentIds: ['a', 'b'] }],
    ['AgentUniqueID', '1->2', { agentUniqueIds: ['1', '2'] }],
    ['FallBackRule', 'AgentDial->VoiceMail', { fallbackSteps: ['AgentDial', 'VoiceMail'] }],
    ['TransferredTo', '->1002->General', { transferredTo: ['1002', 'General'] }],
    ['AgentStatus', 'answered->user_disconnected', { agentStatuses: ['answered', 'user-disconnected'] }],
    ['CustomerStatus', 'answered->Busy', { customerStatuses: ['answered', 'busy'] }],
    ['DialStatus', 'ring->not_answered', { dialStatuses: ['ring', 'not-answered'] }],
    ['TransferType', 'Agent->Skill', { transferTypes: ['agent', 'skill'] }],
    ['AudioFile', 'https://r/1->https://r/2', { recordings: ['https://r/1', 'https://r/2'] }],
    ['CallerConfAudioFile', 'https://r/1->https://r/2', { conferenceRecordings: ['https://r/1', 'https://r/2'] }],
  ])('joins %s with arrows without blanks too', (field, sent, facts) => {
    expect(callFacts({ [field]: sent })).toMatchObject(facts);
  });

  it.each([
    ['AgentName', 'agentNames'],
    ['Comments', 'comments'],
    ['Disposition', 'dispositions'],
  ])('has one %s where people wrote an arrow without blanks', (field, fact) => {
    expect(callFacts({ [field]: 'from A->B' })).toMatchObject({ [fact]: ['from A->B'] });
  });

  it('begins TransferredTo with an arrow', () => {
    expect(callFacts({ TransferredTo: ' -> 1002 -> General' })).toMatchObject({ transferredTo: ['1002', 'General'] });
  });

  it('has lists that are not aligned: each keeps its own length and order', () => {
    const facts = callFacts({ AgentID: 'b -> a -> c', AgentUniqueID: '1 -> 2 -> 3', AgentName: 'Asha -> Ravi' });

    expect(facts).toMatchObject({
      agentIds: ['b', 'a', 'c'],
      agentUniqueIds: ['1', '2', '3'],
      agentNames: ['Asha', 'Ravi'],
    });
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

  it.each(['order 7', 'SkillTransfer-x~agent1', 'SkillTransfer-7', 'x SkillTransfer-7~a'])(
    'names no other call in the UUI "%s"',
    (UUI) => {
      expect(callFacts({ UUI })).toEqual({ timeZone: 'Asia/Kolkata', uui: UUI });
    },
  );
});

const callIdOf = async (json: string) => {
  const d = await deployment();
  await d.post(json);
  return (await d.rows('calls'))[0]?.['callId'];
};

/** What arrives in production beyond the specification: the values of single fields. */
describe('the receiver survives', () => {
  it.each([
    ['text of 14 digits', '"41781234567890"', '41781234567890'],
    ['text of 17 digits, beyond 2^53', '"41781234567890123"', '41781234567890123'],
    ['a bare number of 17 digits', '41781234567890123', '41781234567890123'],
    ['a bare number of 20 digits', '98765432109876543210', '98765432109876543210'],
    ['a number with zeros at its end', '41781234567890000', '41781234567890000'],
  ])('an identifier sent as %s: its digits survive as text', async (_title, id, callId) => {
    expect(await callIdOf(`{"Apikey":"demo-key","monitorUCID":${id}}`)).toBe(callId);
  });

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
