import { describe, expect, it } from 'vitest';
import { callFacts } from '../support/facts-of.ts';

/** How words and sizes differ in production from the lists. */
describe('the receiver survives', () => {
  it.each([
    ['Type', 'inbound', { type: 'inbound' }],
    ['Type', 'InBound', { type: 'inbound' }],
    ['Type', 'Inbound', { type: 'inbound' }],
    ['Type', 'Manual', { type: 'manual' }],
    ['Type', 'manual', { type: 'manual' }],
    ['Type', 'Predective', { type: 'predictive' }],
    ['Status', 'Answered', { status: 'answered' }],
    ['Status', 'answered', { status: 'answered' }],
    ['CustomerStatus', 'SubcriberAbsent', { customerStatuses: ['subscriber-absent'] }],
    ['HangupBy', 'Agent Hangup', { hangupBy: 'agent' }],
    ['HangupBy', 'AgentHangup', { hangupBy: 'agent' }],
    ['TransferType', 'Phone Number', { transferTypes: ['phone-number'] }],
    ['TransferType', 'PhoneNumber', { transferTypes: ['phone-number'] }],
  ])('letter case and spelling: %s %s', (field, sent, facts) => {
    expect(callFacts({ [field]: sent })).toEqual({ timeZone: 'Asia/Kolkata', ...facts });
  });

  it.each([
    ['CustomerStatus', 'DND'],
    ['CustomerStatus', 'BlockedNumber'],
    ['DialStatus', 'MaxDialTimeExceeded'],
    ['DialStatus', 'NoAnswer'],
    ['AgentStatus', 'agent_disconnect'],
    ['CustomerStatus', 'Authentication error'],
    ['Status', 'Fail'],
    ['HangupBy', 'QTimeExceeded{60}'],
    ['Type', 'WhatsApp'],
  ])('a word that is in no list, in %s: %s is kept as sent and stored', (field, word) => {
    const facts = callFacts({ [field]: word });

    expect(JSON.stringify(facts)).toContain(`"${word}"`);
    expect(JSON.stringify(facts)).toContain('unknown');
    expect(facts.notes).toBeUndefined();
  });

  it.each([
    ['AudioFile', 783, 'recordings'],
    ['CallerConfAudioFile', 571, 'conferenceRecordings'],
    ['AgentUniqueID', 25, 'agentUniqueIds'],
  ])('a %s of %d characters with a note and never a refusal', (field, length, fact) => {
    const text = '7'.repeat(length);

    expect(callFacts({ [field]: text })).toMatchObject({
      [fact]: [text],
      notes: [{ field: fact, reason: 'over-long' }],
    });
  });
});
