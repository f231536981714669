import { describe, expect, it } from 'vitest';
import { secretRedactor } from '../../../lib/accounts/redact-secrets.ts';
import { callOfParticipant, type PostedCall, redactRecord } from '../../../lib/callback/normalise-records.ts';
import type { JsonObject } from '../../../lib/core/parse-json.ts';
import { sentinelKey } from '../../fixtures/accounts.ts';

const one: PostedCall = { callId: '1', ucid: '11', sourceCallId: '111' };
const other: PostedCall = { callId: '2', ucid: '22', sourceCallId: '222' };
const calls = [one, other];

describe('the call of a participant', () => {
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
    ['its UCID, where the only call does not give that', { ucid: '9' }, [one], '9'],
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
    ['nothing, where it has neither and there are several', {}, calls, undefined],
  ])('is told by %s', (_title, ids, posted, expected) => {
    expect(callOfParticipant(ids, posted)).toBe(expected);
    expect(callOfParticipant(ids, posted.toReversed()), 'whatever the order').toBe(expected);
  });
});

const clean = (record: JsonObject) => Object.fromEntries(redactRecord(record, secretRedactor([sentinelKey])));

describe('scrubbed', () => {
  it('leaves the key’s own field out, and all else as it is', () => {
    expect(
      clean({ ApiKey: sentinelKey, apikey: 'x', Status: 'Answered', UUI: null, more: ['1', { a: true }] }),
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
      'names that then are one',
      { [sentinelKey]: '1', '***': '2', a: { [sentinelKey]: '3', '***': '4' } },
      { '***': '1', '*** (2)': '2', a: { '***': '3', '*** (2)': '4' } },
    ],
  ])('masks a key that strayed into %s', (_title, record, expected) => {
    expect(clean(record as never)).toEqual(expected);
  });

  it('masks every value of a key’s field deeper down, whosever it is', () => {
    expect(clean({ a: [{ ApiKey: { v: 'stranger' }, b: '1' }] })).toEqual({ a: [{ ApiKey: '***', b: '1' }] });
  });
});
