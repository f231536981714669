import { describe, expect, it } from 'vitest';
import { CallFacts } from '../../../lib/call-summary/model.ts';
import { wireCallFields } from '../../../lib/call-summary/wire.ts';
import { sentinelKey } from '../../fixtures/accounts.ts';
import { specificationSummary } from '../../fixtures/call-summaries.ts';
import { callFacts, understoodCall } from '../support/facts-of.ts';
import { fieldRows, senderFields } from './field-rows.ts';

const found = (posted: object) => {
  const { key, delivery } = understoodCall(posted);
  return { ...delivery.facts, callId: key.callId, leg: key.part };
};

describe('a call summary’s fields', () => {
  it.each(fieldRows)('$field, sent as $sent, is $fact', ({ field, sent, fact, value }) => {
    const { callId, leg, ...facts } = found({ monitorUCID: '1', [field]: sent });

    expect({ ...facts, callId, leg }).toMatchObject({ [fact]: value });
    expect(CallFacts.parse(facts)).toEqual(facts);
  });

  it('files the record under the account, and keeps no key', () => {
    const keyed = understoodCall({ monitorUCID: '1', UserName: 'Demo', Apikey: sentinelKey });

    expect(keyed.key.account).toBe('demo');
    expect(JSON.stringify(keyed)).not.toContain(sentinelKey);
    expect(keyed.delivery.facts).toEqual({ timeZone: 'Asia/Kolkata' });
  });

  it('come in the order by which content is named, so that a call needs no sorting', () => {
    const facts = Object.keys(callFacts({ ...specificationSummary, zeta: '1', alpha: '2' }));

    expect(facts.length).toBeGreaterThan(25);
    expect(facts).toEqual(facts.toSorted());
    expect(Object.keys(callFacts({ zeta: '1', alpha: '2' }).extra ?? {})).toEqual(['alpha', 'zeta']);
  });

  it('has a row for every field that the service sends', () => {
    const covered = new Set<string>([...fieldRows.map(({ field }) => field), ...senderFields]);

    expect(wireCallFields.filter((field) => !covered.has(field))).toEqual([]);
  });

  it('has a row that makes each of our facts', () => {
    const made = new Set<string>(fieldRows.map(({ fact }) => fact));

    expect(CallFacts.keyof().options.filter((fact) => !made.has(fact))).toEqual([]);
  });

  it('reads the specification’s sample without a note', () => {
    expect(found(specificationSummary)).toEqual({
      callId: '41781234567890123',
      leg: 'main',
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
