import { describe, expect, it } from 'vitest';
import { eventLine, matchesFilter, parseBusEvent, patternFor, redactedEvent } from '../../../cli/events/bus-event.ts';
import { missedCalls } from '../../../lib/contract/rules.ts';

const event = (type: string, detail: object) => {
  const found = parseBusEvent(JSON.stringify({ source: 'callfeed', 'detail-type': type, detail }));
  if (found === undefined) throw new Error('Expected an event');
  return found;
};
const at = '2026-11-21T10:00:00.000Z';

describe('an event on the bus', () => {
  it.each([
    ['no filter', {}, true, { source: ['callfeed'] }],
    ['its type', { type: ['Agent Logged In'] }, true, { source: ['callfeed'], 'detail-type': ['Agent Logged In'] }],
    [
      'another type',
      { type: ['Agent Logged Out'] },
      false,
      { source: ['callfeed'], 'detail-type': ['Agent Logged Out'] },
    ],
    ['its account', { account: 'demo' }, true, { source: ['callfeed'], detail: { account: ['demo'] } }],
    ['another account', { account: 'x' }, false, { source: ['callfeed'], detail: { account: ['x'] } }],
    [
      'a missed call of its account',
      { account: 'demo', missed: true },
      false,
      { source: ['callfeed'], detail: { account: ['demo'], call: missedCalls } },
    ],
  ])('matches the filter and the rule’s pattern alike: %s', (_title, options, expected, pattern) => {
    const filter = { type: [], ...options };

    expect(matchesFilter(event('Agent Logged In', { account: 'demo' }), filter)).toBe(expected);
    expect(JSON.parse(patternFor(filter))).toEqual(pattern);
  });

  it.each([
    ['a missed call', { status: 'not-answered', type: 'inbound' }, true],
    ['a missed call of no type', { status: 'not-answered' }, true],
    ['an answered call', { status: 'answered', type: 'inbound' }, false],
    ['an outgoing call', { status: 'not-answered', type: 'manual' }, false],
    ['no call', undefined, false],
  ])('is of a missed call if it has %s', (_title, call, expected) => {
    for (const type of ['Call Summary Recorded', 'Call Summary Revised'])
      expect(matchesFilter(event(type, { account: 'demo', call }), { type: [], missed: true })).toBe(expected);
  });

  it('of a later version shows only the common fields', () => {
    const later = event('Customer Sang', { account: 'demo', id: 'e', occurredAt: at, song: 'SENTINEL' });

    expect(redactedEvent(later).detail).toEqual({ account: 'demo', id: 'e', occurredAt: at, song: '(hidden)' });
  });

  it('of a later version is a line without undeclared words', () => {
    const later = event('Customer Sang', {
      account: 'demo',
      occurredAt: at,
      callId: 'SENTINEL',
      reason: 'SENTINEL',
      changedFields: ['SENTINEL'],
      call: { status: 'SENTINEL' },
      current: { state: 'SENTINEL' },
    });

    expect(eventLine(later)).toBe(`${at}  demo  Customer Sang`);
  });

  it.each([
    ['Agent Feed Interrupted', { reason: 'SENTINEL' }],
    ['Call Summary Recorded', { call: { status: 'SENTINEL' } }],
    ['Agent State Changed', { previous: { state: 'SENTINEL' }, current: { state: 'SENTINEL' } }],
  ])('hides a word that a later version added: %s', (type, detail) => {
    const later = event(type, { account: 'demo', occurredAt: at, ...detail });

    expect(eventLine(later)).not.toContain('SENTINEL');
    expect(JSON.stringify(redactedEvent(later))).not.toContain('SENTINEL');
  });

  it.each(['', 'torn{', '[]', '{"detail-type":"x"}', '{"detail":{}}'])('is not parsed from %j', (line) => {
    expect(parseBusEvent(line)).toBeUndefined();
  });

  it.each([
    [
      'Call Summary Revised',
      { callId: '1', revision: 3, changedFields: ['status'], call: { status: 'answered' } },
      'Call Summary Revised       call 1  revision 3  changed status  answered',
    ],
    [
      'Agent State Changed',
      { agentId: 'asha', previous: { state: 'ready' }, current: { state: 'acw' }, replayedAt: at },
      `Agent State Changed        agent asha  ready → acw  replayed ${at}`,
    ],
    [
      'Call Summary Recorded',
      { callId: '1', source: 'report', revision: 1 },
      'Call Summary Recorded      call 1  found in the call report only',
    ],
    ['Agent Feed Restored', { revision: 'odd' }, 'Agent Feed Restored'],
    ['Agent Logged In', { agentId: 'a\u001B[2J' }, 'Agent Logged In            agent a\\u001b[2J'],
  ])('is printed in a line: %s', (type, detail, line) => {
    expect(eventLine(event(type, { account: 'demo', occurredAt: at, ...detail }))).toBe(`${at}  demo  ${line}`);
  });
});
