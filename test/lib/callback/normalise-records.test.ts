import { describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { secretRedactor } from '../../../lib/accounts/redact-secrets.ts';
import { classifyRecords, kindOf } from '../../../lib/callback/classify-records.ts';
import { callOfParticipant, type PostedCall, redactRecord } from '../../../lib/callback/normalise-records.ts';
import { isKeyField } from '../../../lib/telephony/posted-fields.ts';
import { deployment, reportOf } from '../../deployment/index.ts';
import { demoAccount, kolkataAccount, sentinelKey } from '../../fixtures/accounts.ts';
import { digits, specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { callKey, decompressed, normalisedRecords, posted, received } from '../../support/posted-records.ts';
import { redriveAll, renormaliseAll } from '../../support/run-here.ts';

const one: PostedCall = { callId: '1', ucid: '11', sourceCallId: '111' };
const other: PostedCall = { callId: '2', ucid: '22', sourceCallId: '222' };
const calls = [one, other];
const second: PostedCall = { callId: '3', ucid: '2' };

describe('callOfParticipant', () => {
  it.each([
    ['its UCID, where that is a call’s own id', { ucid: '2' }, calls, '2'],
    ['its UCID, where that is a call’s second id', { ucid: '22' }, calls, '2'],
    ['its UCID, where that is a call’s CallID', { ucid: '222' }, calls, '2'],
    ['a call’s own id before another one’s second', { ucid: '2' }, [{ callId: '1', ucid: '2' }, other], '2'],
    ['a second id before another one’s CallID', { ucid: '2' }, [{ callId: '1', sourceCallId: '2' }, second], '3'],
    ['its UCID, where no call gives that', { ucid: '9' }, calls, '9'],
    ['the only call, where that does not give its UCID', { ucid: '9' }, [one], '1'],
    ['its CallID, where that is a call’s own id', { ucid: '9', sourceCallId: '2' }, calls, '2'],
    ['nothing, where no call gives its CallID', { sourceCallId: '9' }, calls, undefined],
    ['its UCID, where several calls give that', { ucid: '2' }, [{ callId: '1', ucid: '2' }, second], '2'],
    ['its UCID, where no call gives that and one has a single id', { ucid: '9' }, [{ callId: '1' }, other], '9'],
    ['its CallID, where it has no UCID', { sourceCallId: '222' }, calls, '2'],
    ['the only call, where it has neither', {}, [one], '1'],
    ['the only call, of which there are two legs', {}, [one, { ...one, sourceCallId: '112' }], '1'],
    ['nothing, where it has neither and there are several calls', {}, calls, undefined],
  ])('finds the call by %s', (_title, ids, posted, expected) => {
    expect(callOfParticipant(ids, posted)).toBe(expected);
    expect(callOfParticipant(ids, posted.toReversed()), 'in reverse order').toBe(expected);
  });
});

it('a call without an id stays the same one where the account’s settings add its words', () => {
  const noId = { monitorUCID: '', CallID: '', UCID: '', DataUniqueId: '' };
  const records = [{ ...specificationSummary, ...noId, Status: 'Abandoned' }];
  const [known, unknown] = [{ status: { Abandoned: 'not-answered' } }, undefined].map(
    (words) => normalisedRecords(records, { ...demoAccount, words } as never).deliveries[0],
  );

  expect([known, unknown].map((one) => one?.delivery.facts['status'])).toEqual(['not-answered', 'unknown']);
  expect(known?.key).toEqual(unknown?.key);
});

const redacted = (text: string, key = sentinelKey) =>
  redactRecord({ value: JSON.parse(text.replace(/:(\d+)/g, ':"$1"')), text }, secretRedactor([key]));

describe('redactRecord', () => {
  it.each([
    ['its own field', `{"ApiKey":"${sentinelKey}","a": 1.0}`, '{"ApiKey":"***","a": 1.0}'],
    ['an escape beside its own field', '{"ApiKey":"x","a":"\\u0053ENTINEL-key-4f0c"}', '{"ApiKey":"***","a":"***"}'],
    ['nothing, where its own field is blank', '{"ApiKey":" ","a":"1"}', '{"ApiKey":" ","a":"1"}'],
    ['an unknown one, spelt twice', '{"apikey":"x","Api_Key":7,"a":"1"}', '{"apikey":"***","Api_Key":"***","a":"1"}'],
    ['a text', `{"a":"key ${sentinelKey}"}`, '{"a":"key ***"}'],
    ['a list', `{"a":["x","${sentinelKey}",null]}`, '{"a":["x","***",null]}'],
    ['a nested object', '{"a":[{"ApiKey":"unknown","b":1}]}', '{"a":[{"ApiKey":"***","b":1}]}'],
    ['a name', `{"${sentinelKey}":"1"}`, '{"***":"1"}'],
    ['a field that is named like a key', '{"OldApiKey":"unknown"}', '{"OldApiKey":"***"}'],
  ])('redacts a key in %s, and leaves the rest of the text as it is', (_title, text, expected) => {
    const { text: found, fields } = redacted(text);
    const kept = Object.fromEntries(fields.filter(([name]) => !isKeyField(name)));

    expect(found).toBe(expected);
    for (const key of [sentinelKey, 'unknown']) expect(JSON.stringify(kept)).not.toContain(key);
    expect(Object.keys(kept)).toEqual(Object.keys(JSON.parse(expected)).filter((name) => !isKeyField(name)));
  });

  it('puts a number into quotes of which it redacts digits', () => {
    const fields = [
      ['a', '9***9'],
      ['b', 'x'],
    ];
    expect(redacted('{"a":9123456789,"b":"x"}', '12345678')).toEqual({ text: '{"a":"9***9","b":"x"}', fields });
  });

  it('keeps the fields beside one that is nested by the thousand, which a later one of its name hid before', () => {
    const deep = `${'['.repeat(9_000)}1.5${']'.repeat(9_000)}`;
    const { fields } = redacted(`{"${sentinelKey}":${deep},"${sentinelKey}":"x","UCID":98415171512914084}`);

    expect(fields.slice(1)).toEqual([
      ['*** (2)', 'x'],
      ['UCID', '98415171512914084'],
    ]);
  });

  it('keeps the fields that a key with quotes in it joins', () => {
    const { fields } = redacted('{"a":"1secret","of":"2"}', 'secret","of');
    expect(fields).toEqual([
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
    ['outcome and length, though an event', { event: 'x', CallerID: '1', Status: 'Answered', CallDuration: '1' }],
    ...['Event', 'eventType', 'event_type', 'eventName'].flatMap((name) => [
      [`an unknown status of a call whose column ${name} has a step`, { ...stepOfCall, [name]: 'AgentDial' }] as const,
      [`an unknown status, where ${name} is blank`, { ...stepOfCall, EndTime: '', [name]: 'None' }] as const,
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
      'one without an outcome',
      { Event: 'AgentDial', monitorUCID: '1', EndTime: '', CallDuration: null, HangupBy: '-' },
    ],
    ['one with an outcome and no id', { event: 'x', monitorUCID: '0', CallerID: '1', EndTime: '2026-11-26 10:02:00' }],
    ['one with the words of a call', { event: 'nil', monitorUCID: '1', Status: 'Answered', AgentStatus: 'answered' }],
    ['an event that is an object', { Event: { type: 'AgentRinging' }, monitorUCID: '1', Status: 'ringing' }],
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
    ['holds one', { event: 'x', list: [0, { calls: { CallerID: '1', EndTime: 'x', event: 'x' } }] }, 'call-not-named'],
    ['holds a text with one, which cannot be parsed', { body: '{"CallerID":"1","EndTime":"x' }, 'call-not-named'],
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

const key = 'demo-key-1';
const newKey = 'new-key/77';
const secret = 'a-long-callback-secret';

/** An account whose settings decide what its records mean, after the rotation of its key. */
const account: Account = {
  ...kolkataAccount,
  apiKeys: [key, newKey],
  timeZone: 'Europe/London',
  words: { status: { 'Given up': 'not-answered' }, dialStatus: { 'Gone home': 'no-response' } },
};
const withoutSettings = { timeZone: 'Asia/Kolkata', words: undefined };

const comment = `see https://api.invalid/${secret}/callDetails or ?k=${key} or ${newKey}`;
const times = { StartTime: '2026-07-01 10:00:00', EndTime: '2026-07-01 10:05:00' };
const summary = {
  ...times,
  monitorUCID: callKey.callId,
  Status: 'Given up',
  Duration: '00:04:00',
  Comments: comment,
  Apikey: key,
  UserName: 'demo',
};
const participant = { ...times, UCID: callKey.callId, ExitStatus: 'x', DialStatus: 'Gone home' };

/** The same call in the service's call report. */
const reported = {
  CallID: callKey.callId,
  CallDate: '2026-07-01',
  StartTime: '10:00:00',
  EndTime: '10:05:00',
  Status: 'Given up',
  TalkTime: '00:04:00',
  Comments: comment,
};

type Deployed = Awaited<ReturnType<typeof deployment>>;

const post = (d: Deployed, posted: object | string = [summary, participant]) => d.post(posted as object, { secret });
const reconcile = (d: Deployed) => d.reconcile({ kind: 'start', account: 'demo', run: 'x', days: ['2026-07-01'] });

/** A path by which what was sent is kept, and what of the account was something else before. */
type Path = readonly [path: string, play: (d: Deployed) => Promise<unknown>, before: Partial<Account>];

/** Every path by which a record becomes a row. */
const paths: readonly Path[] = [
  ['a callback', post, {}],
  [
    'a callback that was parked',
    async (d) => {
      await d.fail('calls').during(() => post(d));
      await d.recover();
    },
    {},
  ],
  [
    'a callback with a new key that is redriven',
    async (d) => {
      await post(d, [{ ...summary, Apikey: newKey }, participant]);
      expect(await redriveAll(d, [account])).toMatchObject([{ value: { stored: 2 } }]);
    },
    { apiKeys: [key] },
  ],
  ['the call report', reconcile, {}],
  ['a callback that is derived again', (d) => post(d).then(() => renormaliseAll(d, account)), withoutSettings],
  ['a report that is derived again', (d) => reconcile(d).then(() => renormaliseAll(d, account)), withoutSettings],
];

/** What is kept and becomes no call. */
const unread: readonly Path[] = [
  ['a callback that cannot be parsed', (d) => post(d, `${JSON.stringify(summary)}}`), {}],
  ['a record that is none', (d) => post(d, [comment]), {}],
  ['a record that is too large', (d) => post(d, { ...summary, UUI: digits(500_000) }), {}],
];

describe.each<Path>([...paths, ...unread])('what is kept of %s', (path, play, before) => {
  it('is read by all settings of its account, says where it came from, and holds no key or callback secret', async () => {
    const service = { report: [reportOf({ '2026-07-01': [reported] })] };
    const accounts = [{ ...account, ...before }];
    const d = await deployment({ secret, accounts, startedAt: '2026-07-01T12:00:00.000Z', service });
    await play(d);
    await d.settled();
    const rows = await d.rows('calls');
    const calls = rows.filter(({ kind }) => kind === 'call');

    expect(calls).toHaveLength(paths.some(([name]) => name === path) ? 1 : 0);
    const source = path.includes('report') ? 'report' : undefined;
    for (const row of calls) {
      expect(row).toMatchObject({
        status: 'not-answered',
        timeZone: 'Europe/London',
        durationSeconds: 240,
        startedAt: '2026-07-01T09:00:00.000Z',
        endedAt: '2026-07-01T09:05:00.000Z',
      });
      expect([row['source'], Object(row['deliveries'])[0].source]).toEqual([source, source]);
    }
    for (const row of rows.filter(({ kind }) => kind === 'participant'))
      expect(row).toMatchObject({ dialStatus: 'no-response', startedAt: '2026-07-01T09:00:00.000Z' });
    expect(rows.flatMap((row) => Object.keys(row))).not.toContainEqual(expect.stringMatching(/AsSent$/));

    const kept = decompressed(JSON.stringify([rows, await d.quarantine(), d.parked(), d.published(), d.logs()]));
    expect(kept).toContain('see https://api.invalid/***/callDetails or ?k=*** or ***');
    for (const text of [secret, key, newKey]) expect(kept).not.toContain(text);
  });
});
