import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAgentLogins } from '../../../lib/agents/get-agent-logins.ts';
import { agentFields } from '../../../lib/agents/normalise-agent.ts';
import { AgentLoginsInput, CallSummaryInput, ParticipantInput } from '../../../lib/contract/inputs.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { specificationLogins } from '../../fixtures/accounts.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { normalisedRecords } from '../../support/call-records.ts';
import { holds } from '../../support/property.ts';

const scalars = ['x', '', 7, 1.5, true, null];

describe.each([
  { title: 'a call summary', input: CallSummaryInput, fields: wireCallFields, sample: specificationSummary },
  { title: 'a participant', input: ParticipantInput, fields: wireParticipantFields, sample: specificationParticipant },
])('the input schema of $title', ({ input, fields, sample }) => {
  it('accepts the sample of the specification, other fields, and no field at all', () => {
    expect(input.parse(sample)).toEqual(sample);
    expect(input.parse({ ...sample, New: ['x'] })).toMatchObject({ New: ['x'] });
    expect(input.parse({})).toEqual({});
  });

  it.each(fields)('accepts any scalar as %s, and neither a list nor an object', (field) => {
    for (const value of scalars) expect(input.safeParse({ [field]: value }).success).toBe(true);
    for (const value of [[], {}, ['x']]) expect(input.safeParse({ [field]: value }).success).toBe(false);
  });

  it.each(fields)('states the meaning of %s', (field) => {
    expect(input.shape[field]?.meta()).toMatchObject({ description: expect.stringMatching(/\.$/) });
  });
});

describe('the input schema of a call summary', () => {
  it.each<[string, object]>([
    ['AgentPhoneNumber', { becomes: ['agentPhoneNumber'], personal: true, documentedMaxLength: 20 }],
    ['UUI', { becomes: ['uui', 'linkedCallId'] }],
    [
      'Status',
      { becomes: ['status', 'statusAsSent'], examples: ['Answered', 'NotAnswered', 'NoAnswer', 'Unanswered'] },
    ],
    ['monitorUCID', { becomes: ['callId'] }],
    ['Apikey', { becomes: [], documentedMaxLength: 250 }],
  ])('states what becomes of %s', (field, meta) => {
    expect(CallSummaryInput.shape[field]?.meta()).toMatchObject(meta);
  });

  it('has what the reader accepts: no field of a summary that fits is noted as an object', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
    const summary = fc
      .dictionary(fc.constantFrom(...wireCallFields), value)
      .filter(({ Apikey }) => Apikey === undefined);
    holds(
      fc.property(summary, (fields) => {
        const posted = { ...fields, monitorUCID: '1', Status: 'Answered' };
        const { deliveries, unrecognised } = normalisedRecords([posted]);

        expect(CallSummaryInput.safeParse(posted).success).toBe(true);
        expect([deliveries.length, unrecognised]).toEqual([1, []]);
        expect(JSON.stringify(deliveries)).not.toContain('not-a-scalar');
      }),
    );
  });
});

describe('the input schema of agent logins', () => {
  const [asha] = specificationLogins;
  const skills = { ...asha, SkillName: ['Sales', 'Support'] };

  it.each<[string, unknown]>([
    ['a list', { status: 'success', message: specificationLogins }],
    ['a list without a status', { message: specificationLogins }],
    ['an empty list', { status: 'success', message: [] }],
    ['one agent', { status: 'success', message: asha }],
    ['an object that holds the list', { status: 'success', message: { agents: specificationLogins } }],
    ['rows in details', { status: 'success', message: 'success', details: specificationLogins, totalCount: 3 }],
    ['nobody as an error', { status: 'error', message: 'No Data Found' }],
    ['a list of skills', { status: 'success', message: [skills] }],
    ['an agent with a number as name and another field', { message: [{ ...asha, AgentName: 7, Mode: 'x' }] }],
  ])('accepts %s, as the parser does', (_title, answer) => {
    expect(AgentLoginsInput.parse(answer)).toEqual(answer);
    expect(parseAgentLogins({ status: 200, text: JSON.stringify(answer) })).toMatchObject({ ok: true });
  });

  it.each<[string, unknown]>([
    ['a bare list', specificationLogins],
    ['a text', 'success'],
    ['a message that is null', { status: 'success', message: null }],
    ['details that are text', { status: 'success', message: 'success', details: 'x' }],
  ])('rejects %s, as the parser does', (_title, answer) => {
    expect(AgentLoginsInput.safeParse(answer).success).toBe(false);
    expect(parseAgentLogins({ status: 200, text: JSON.stringify(answer) })).toMatchObject({ ok: false });
  });

  it.each(keysOf(agentFields))('accepts any scalar as %s, and a list only of skills', (field) => {
    const isValid = (value: unknown) => AgentLoginsInput.safeParse({ message: [{ ...asha, [field]: value }] }).success;

    expect(scalars.map(isValid)).toEqual(scalars.map(() => true));
    expect(isValid(['x'])).toBe(field === 'SkillName');
    expect(isValid({})).toBe(false);
  });
});
