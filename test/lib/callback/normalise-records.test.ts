import { describe, expect, it } from 'vitest';
import { secretRedactor } from '../../../lib/accounts/redact-secrets.ts';
import { callOfParticipant, type PostedCall, redactRecord } from '../../../lib/callback/normalise-records.ts';
import type { JsonObject } from '../../../lib/core/json.ts';
import { sentinelKey } from '../../fixtures/accounts.ts';

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

const redacted = (record: JsonObject) => Object.fromEntries(redactRecord(record, secretRedactor([sentinelKey])));

describe('redactRecord', () => {
  it('removes the key’s own field, and changes nothing else', () => {
    expect(
      redacted({ ApiKey: sentinelKey, apikey: 'x', Status: 'Answered', UUI: null, more: ['1', { a: true }] }),
    ).toEqual({
      Status: 'Answered',
      UUI: null,
      more: ['1', { a: true }],
    });
  });

  it.each([
    ['a text', { Comments: `key ${sentinelKey}` }, { Comments: 'key ***' }],
    ['a list', { a: ['x', sentinelKey, null] }, { a: ['x', '***', null] }],
    ['an object', { a: { b: { c: sentinelKey, d: false } } }, { a: { b: { c: '***', d: false } } }],
    ['a key of an object', { [sentinelKey]: '1', a: { [sentinelKey]: '2' } }, { '***': '1', a: { '***': '2' } }],
    [
      'names that become equal',
      { [sentinelKey]: '1', '***': '2', a: { [sentinelKey]: '3', '***': '4' } },
      { '***': '1', '*** (2)': '2', a: { '***': '3', '*** (2)': '4' } },
    ],
  ])('redacts a key in %s', (_title, record, expected) => {
    expect(redacted(record as never)).toEqual(expected);
  });

  it('redacts every value of a nested key’s field, known or not', () => {
    expect(redacted({ a: [{ ApiKey: { v: 'unknown' }, b: '1' }] })).toEqual({ a: [{ ApiKey: '***', b: '1' }] });
  });
});
