import { describe, expect, it } from 'vitest';
import { callOf, type PostedCall } from '../../../lib/callback/call-of.ts';

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
    expect(callOf(ids, posted)).toBe(expected);
    expect(callOf(ids, posted.toReversed()), 'whatever the order').toBe(expected);
  });
});
