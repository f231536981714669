import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../lib/core/json.ts';
import { callFacts, normalisedRecords } from '../../support/call-records.ts';
import { formPost, memoryReceiver } from '../../support/memory-ports.ts';

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
  const { receive, calls } = memoryReceiver();
  await receive(formPost(json));
  return calls.records()[0]?.key.callId;
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

  it.each([['""'], ['"None"'], ['"none"'], ['"null"'], ['"NULL"'], ['"-"'], ['" "'], ['null']])(
    'a missing value written as %s like a key left out',
    (blank) => {
      const json = parseJson(`{"Skill":${blank},"CallDuration":${blank},"StartTime":${blank},"AgentID":${blank}}`);

      expect(json.ok && callFacts(json.value as object)).toEqual(callFacts({}));
    },
  );

  it.each(['dId', 'Did', 'DID', 'DId', 'did'])('the campaign’s number under the key %s', (key) => {
    expect(callFacts({ [key]: '918000000000' })).toEqual(callFacts({ dId: '918000000000' }));
  });

  it.each(['monitorUCID', 'MonitorUCID', 'monitorUcid', 'ucid', 'UCID'])('the call’s id under the key %s', (key) => {
    expect(normalisedRecords([{ [key]: '7', Status: 'Answered' }]).deliveries[0]?.key.callId).toBe('7');
  });

  it.each(['Apikey', 'ApiKey', 'apikey'])('the account’s key under the key %s', async (key) => {
    expect(await memoryReceiver().receive(formPost({ [key]: 'demo-key', monitorUCID: '1' }))).toMatchObject({
      stored: 1,
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

  it.each(['SkillID', 'TotalWrapupTime', 'TotalHandlingTime', 'AnswerTime', 'TalkTime', 'WhateverComesNext'])(
    'the unknown key %s by keeping it in its own spelling',
    (key) => {
      expect(callFacts({ [key]: '00:00:07' })).toEqual({ timeZone: 'Asia/Kolkata', extra: { [key]: '00:00:07' } });
    },
  );

  it('an answered IVR call without a recording and a missed voice mail with one', () => {
    const url = 'https://r.example.com/1.mp3';

    expect(callFacts({ Status: 'Answered', Type: 'IVR', AudioFile: '' })).not.toHaveProperty('recordings');
    expect(callFacts({ Status: 'NotAnswered', AudioFile: url })).toMatchObject({ recordings: [url] });
  });

  it('recordings joined with commas and arrows, repeated, and over plain http', () => {
    expect(
      callFacts({
        AudioFile: 'http://r.example.com/1.mp3,http://r.example.com/2.mp3,http://r.example.com/1.mp3',
        CallerConfAudioFile: 'https://r.example.com/3.mp3 -> https://r.example.com/4.mp3',
      }),
    ).toMatchObject({
      recordings: ['http://r.example.com/1.mp3', 'http://r.example.com/2.mp3'],
      conferenceRecordings: ['https://r.example.com/3.mp3', 'https://r.example.com/4.mp3'],
    });
  });
});
