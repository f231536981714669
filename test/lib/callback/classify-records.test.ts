import { describe, expect, it } from 'vitest';
import { classifyRecords, kindOf } from '../../../lib/callback/classify-records.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { posted, received } from '../../support/call-records.ts';

const kind = (value: object) => kindOf(received(value) as never);

describe('kindOf', () => {
  it.each([
    ['the specification’s summary', specificationSummary],
    ['monitorUCID and any status', { monitorUCID: '1', Status: 'Fail' }],
    ['monitorUCID in another letter case', { MONITORUCID: '1', starttime: '' }],
    ['monitorUCID and what only a summary has', { monitorUCID: '1', FallBackRule: '' }],
    ['an outcome and a number', { Status: 'Answered', CallerID: '1' }],
    ['an outcome and a second id', { CallDuration: '00:00:01', ucid: '1' }],
    ['an outcome and an agent', { HangupBy: 'UserHangup', AgentID: '1' }],
    ['an outcome and the number called', { EndTime: '', DialedNumber: '1' }],
    ['an outcome and the campaign’s number', { DialStatus: 'ring', DId: '1' }],
    ['an outcome and the agent’s phone', { Disposition: 'Sale', PhoneName: 'Desk 1' }],
    ['an outcome and the sender’s row', { CustomerStatus: 'Busy', DataUniqueId: '1' }],
    [
      'outcome and length, though it calls itself an event',
      { event: 'x', ucid: '1', Status: 'Answered', CallDuration: '1' },
    ],
    ['participation and monitorUCID', { ExitStatus: 'x', monitorUCID: '1', EndTime: '' }],
  ])('is a call for %s', (_title, value) => {
    expect(kind(value)).toBe('call');
  });

  it.each([
    ['the specification’s record', specificationParticipant],
    ['ParticipantNumber alone', { ParticipantNumber: '1' }],
    ['ExitStatus in another letter case', { exitstatus: 'x' }],
    ['PickupTime', { PickupTime: '' }],
    ['Audio', { Audio: null, UCID: '1' }],
  ])('is a participant for %s', (_title, value) => {
    expect(kind(value)).toBe('participant');
  });

  it.each([
    ['an empty object', {}],
    ['an outcome without a subject', { Status: 'Answered' }],
    ['a subject without an outcome: a screen pop', { CallerID: '1', UCID: '1', AgentID: '1' }],
    ['a screen pop that names its event', { event: 'screenpop', CallerID: '1', Status: 'Answered', UCID: '2' }],
    ['a screen pop with the call’s id', { monitorUCID: '77', CallerID: '1', agentID: 'x', type: 'inbound' }],
    ['a state of a call in progress', { ucid: '1', status: 'ringing', agentID: 'x' }],
    ['a state of an agent', { callid: '1', status: 'AgentLoggedIn', agentid: 'x', AgentStatus: 'READY' }],
    ['an event with the call’s id and status', { Event: 'AgentRinging', monitorUCID: '1', Status: 'ringing' }],
    ['an event with the call’s id', { eventType: 'CallAnswered', monitorUCID: '1' }],
    ['a subscription event', { event_type: 'AgentEvent', AgentID: '1', Status: 'READY' }],
    ['an event by name', { EventName: 'x', CallerID: '1', Duration: '1' }],
    ['a template for another CRM', { Subject: 'Call', Description: 'from 1' }],
    ['an answer of getAgentLogins', { status: 'success', message: [] }],
  ])('is undefined for %s', (_title, value) => {
    expect(kind(value)).toBeUndefined();
  });
});

describe('classifyRecords', () => {
  it('sorts records in whatever order they come', () => {
    const participant = { ExitStatus: 'x' };
    const call = { monitorUCID: '1', Status: 'Answered' };

    expect(classifyRecords([participant, call, participant].map(posted))).toEqual({
      calls: [posted(call)],
      participants: [posted(participant), posted(participant)],
      unrecognised: [],
    });
  });

  it.each([
    ['beside a summary', { monitorUCID: '1', Status: 'Answered' }, 1],
    ['beside a summary without monitorUCID', { CallID: '1', Status: 'Answered' }, 1],
    ['beside what may be a participant itself', { UCID: '1', DialStatus: 'SUCCESS' }, 0],
    ['beside another post of the vendor', { event: 'x', Status: 'READY' }, 0],
  ])('takes a record without a field of its own for a participant only %s', (_title, beside, participants) => {
    const shared = { UCID: '1', CallID: '1', AgentName: 'A', DialStatus: 'SUCCESS', EndTime: '2026-11-20 11:00:00' };

    expect(classifyRecords([beside, shared].map(posted)).participants).toHaveLength(participants);
    expect(classifyRecords([shared, beside].map(posted)).participants, 'in reverse').toHaveLength(participants);
  });

  it.each([
    ['text', 'x', 'not-an-object'],
    ['a number', '1', 'not-an-object'],
    ['null', null, 'not-an-object'],
    ['a list', [{ monitorUCID: '1' }], 'not-an-object'],
    ['another post of the vendor', { event: 'x' }, 'not-a-call-summary'],
  ])('returns the reason for %s', (_title, value, reason) => {
    expect(classifyRecords([posted(value)]).unrecognised).toEqual([{ reason, text: JSON.stringify(value) }]);
  });
});
