import { describe, expect, it } from 'vitest';
import { callFacts, understood } from '../support/facts-of.ts';

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

    expect(understood([posted]).deliveries).toMatchObject([
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
