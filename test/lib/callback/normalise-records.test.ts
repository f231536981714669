import { describe, expect, it } from 'vitest';
import { secretRedactor } from '../../../lib/accounts/redact-secrets.ts';
import { classifyRecords, kindOf } from '../../../lib/callback/classify-records.ts';
import { callOfParticipant, type PostedCall, redactRecord } from '../../../lib/callback/normalise-records.ts';
import { isKeyField } from '../../../lib/telephony/posted-fields.ts';
import { demoAccount, sentinelKey } from '../../fixtures/accounts.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { normalisedRecords, posted, received } from '../../support/posted-records.ts';

const one: PostedCall = { callId: '1', ucid: '11', sourceCallId: '111' };
const other: PostedCall = { callId: '2', ucid: '22', sourceCallId: '222' };
const calls = [one, other];

describe('callOfParticipant', () => {
  it.each([
    ['its UCID, where that is a call’s own id', { ucid: '2' }, calls, '2'],
    ['its UCID, where that is a call’s second id', { ucid: '22' }, calls, '2'],
    ['its UCID, where that is a call’s CallID', { ucid: '222' }, calls, '2'],
    ['a call’s own id before another one’s second', { ucid: '2' }, [{ callId: '1', ucid: '2' }, other], '2'],
    [
      'a second id before another one’s CallID',
      { ucid: '2' },
      [
        { callId: '1', sourceCallId: '2' },
        { callId: '3', ucid: '2' },
      ],
      '3',
    ],
    ['its UCID, where no call gives that', { ucid: '9' }, calls, '9'],
    ['the only call, where that does not give its UCID', { ucid: '9' }, [one], '1'],
    ['its CallID, where that is a call’s own id', { ucid: '9', sourceCallId: '2' }, calls, '2'],
    ['nothing, where no call gives its CallID', { sourceCallId: '9' }, calls, undefined],
    [
      'its UCID, where several calls give that',
      { ucid: '7' },
      [
        { callId: '1', ucid: '7' },
        { callId: '2', ucid: '7' },
      ],
      '7',
    ],
    ['its CallID, where it has no UCID', { sourceCallId: '222' }, calls, '2'],
    ['the only call, where it has neither', {}, [one], '1'],
    ['the only call, of which there are two legs', {}, [one, { ...one, sourceCallId: '112' }], '1'],
    ['nothing, where it has neither and there are several calls', {}, calls, undefined],
  ])('finds the call by %s', (_title, ids, posted, expected) => {
    expect(callOfParticipant(ids, posted)).toBe(expected);
    expect(callOfParticipant(ids, posted.toReversed()), 'in reverse order').toBe(expected);
  });
});

describe('normaliseRecords', () => {
  const words = { status: { Abandoned: 'not-answered' }, dialStatus: { Gone: 'no-response' } };
  const noId = { monitorUCID: '', CallID: '', UCID: '', DataUniqueId: '' };
  const records = [
    { ...specificationSummary, ...noId, Status: 'Abandoned' },
    { ...specificationParticipant, DialStatus: 'Gone' },
  ];
  const normalised = (changes: object) =>
    normalisedRecords(records, { ...demoAccount, ...changes } as never).deliveries;

  it('knows the words that the account’s settings add, and a call without an id stays the same one', () => {
    const [known, unknown] = [normalised({ words }), normalised({})];

    expect(known.map(({ delivery }) => delivery.facts)).toMatchObject([
      { status: 'not-answered' },
      { dialStatus: 'no-response' },
    ]);
    expect(unknown.map(({ delivery }) => delivery.facts)).toMatchObject([
      { status: 'unknown', statusAsSent: 'Abandoned' },
      { dialStatus: 'unknown', dialStatusAsSent: 'Gone' },
    ]);
    expect(known.map(({ key }) => key)).toEqual(unknown.map(({ key }) => key));
  });
});

const redacted = (text: string, key = sentinelKey) =>
  redactRecord({ value: JSON.parse(text.replace(/:(\d+)/g, ':"$1"')), text }, secretRedactor([key]));

describe('redactRecord', () => {
  it.each([
    ['its own field', `{"ApiKey":"${sentinelKey}","a": 1.0}`, '{"ApiKey":"***","a": 1.0}'],
    [
      'an unknown one in two spellings',
      '{"apikey":"x","Api_Key":7,"a":"1"}',
      '{"apikey":"***","Api_Key":"***","a":"1"}',
    ],
    ['a text', `{"a":"key ${sentinelKey}"}`, '{"a":"key ***"}'],
    ['a list', `{"a":["x","${sentinelKey}",null]}`, '{"a":["x","***",null]}'],
    ['a nested object', '{"a":[{"ApiKey":"unknown","b":1}]}', '{"a":[{"ApiKey":"***","b":1}]}'],
    ['a name', `{"${sentinelKey}":"1"}`, '{"***":"1"}'],
    ['a field that is named like a key', '{"OldApiKey":"unknown"}', '{"OldApiKey":"***"}'],
  ])('redacts a key in %s, and leaves the rest of the text as it is', (_title, text, expected) => {
    const { text: found, fields } = redacted(text);
    const kept = Object.fromEntries(fields.filter(([name]) => !isKeyField(name)));

    expect(found).toBe(expected);
    expect(JSON.stringify(kept)).not.toContain(sentinelKey);
    expect(Object.keys(kept)).toEqual(Object.keys(JSON.parse(expected)).filter((name) => !isKeyField(name)));
  });

  it('puts a number into quotes of which it redacts digits', () => {
    expect(redacted('{"a":9123456789,"b":"x"}', '12345678')).toEqual({
      text: '{"a":"9***9","b":"x"}',
      fields: [
        ['a', '9***9'],
        ['b', 'x'],
      ],
    });
  });

  it('keeps the fields that a key with quotes in it joins', () => {
    expect(redacted('{"a":"1secret","of":"2"}', 'secret","of').fields).toEqual([
      ['a', '1secret'],
      ['of', '2'],
    ]);
  });
});

const stepOfCall = {
  monitorUCID: '55500000000000003',
  Status: 'Abandoned',
  CallerID: '09000000001',
  EndTime: '2026-11-26 10:02:00',
};

const kind = (value: object) => kindOf(received(value) as never);

describe('kindOf', () => {
  it.each<readonly [string, object]>([
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
    ...['Event', 'eventType', 'event_type', 'eventName'].flatMap((name) => [
      [`an unknown status of a call whose column ${name} has a step`, { ...stepOfCall, [name]: 'AgentDial' }] as const,
      [
        `an unknown status of a call whose column ${name} is blank`,
        { ...stepOfCall, EndTime: '', [name]: 'None' },
      ] as const,
    ]),
    ...['EndTime', 'CallDuration', 'HangupBy', 'Disposition', 'AudioFile'].map(
      (name) => [`an event that names its call and has ${name}`, { Event: 'x', CallID: '77', [name]: 'x' }] as const,
    ),
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
    [
      'an event that has no outcome yet',
      { Event: 'AgentDial', monitorUCID: '1', EndTime: '', CallDuration: null, HangupBy: '-' },
    ],
    [
      'an event with an outcome and no id',
      { event: 'x', monitorUCID: '0', CallerID: '1', EndTime: '2026-11-26 10:02:00' },
    ],
    [
      'an event with the words of a call',
      { event: 'x', monitorUCID: '1', Status: 'Answered', AgentStatus: 'answered' },
    ],
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

  it.each<[string, object, string]>([
    ['states an outcome beside a party', { event: 'x', CallerID: '1', EndTime: 'x' }, 'call-not-named'],
    [
      'holds such an object',
      { event: 'x', list: [{ calls: { CallerID: '1', EndTime: 'x', event: 'x' } }] },
      'call-not-named',
    ],
    [
      'holds a text with such an object, which cannot be parsed',
      { body: '{"CallerID":"1","EndTime":"x' },
      'call-not-named',
    ],
    ['is an event of an agent', { event: 'AgentPause', AgentLogin: 'a', EndTime: 'x' }, 'not-a-call-summary'],
    ['has texts in brackets', { event: 'x', Skill: '[sales] EndTime', n: true }, 'not-a-call-summary'],
  ])('gives what %s as reason', (_title, value, reason) => {
    expect(classifyRecords([posted(value)]).unrecognised).toMatchObject([{ reason }]);
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
});
