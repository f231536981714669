import { describe, expect, it } from 'vitest';
import { secretRedactor } from '../../../lib/accounts/redact-secrets.ts';
import { callOfParticipant, type PostedCall, withoutKeys } from '../../../lib/callback/normalise-records.ts';
import { isKeyField } from '../../../lib/telephony/posted-fields.ts';
import { demoAccount, sentinelKey } from '../../fixtures/accounts.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { normalisedRecords } from '../../support/call-records.ts';

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
  withoutKeys({ value: JSON.parse(text.replace(/:(\d+)/g, ':"$1"')), text }, secretRedactor([key]));

describe('withoutKeys', () => {
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
