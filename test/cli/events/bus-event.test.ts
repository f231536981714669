import { describe, expect, it } from 'vitest';
import { eventLine, matchesFilter, parseBusEvent, patternFor, redactedEvent } from '../../../cli/events/bus-event.ts';

const event = (type: string, detail: object) => {
  const found = parseBusEvent(JSON.stringify({ source: 'callfeed', 'detail-type': type, detail }));
  if (found === undefined) throw new Error('This is an event.');
  return found;
};
const at = '2026-11-21T10:00:00.000Z';

describe('an event of the bus', () => {
  it.each([
    ['everything is', {}, true, { source: ['callfeed'] }],
    ['its type is', { type: ['Agent Logged In'] }, true, { source: ['callfeed'], 'detail-type': ['Agent Logged In'] }],
    [
      'another type is',
      { type: ['Agent Logged Out'] },
      false,
      { source: ['callfeed'], 'detail-type': ['Agent Logged Out'] },
    ],
    ['its account is', { account: 'demo' }, true, { source: ['callfeed'], detail: { account: ['demo'] } }],
    ['another account is', { account: 'x' }, false, { source: ['callfeed'], detail: { account: ['x'] } }],
  ])('is wanted if %s, here as by a rule', (_title, wanted, expected, pattern) => {
    const asked = { type: [], ...wanted };

    expect(matchesFilter(event('Agent Logged In', { account: 'demo' }), asked)).toBe(expected);
    expect(JSON.parse(patternFor(asked))).toEqual(pattern);
  });

  it('of a later version is shown by what every event has, and hidden otherwise', () => {
    const later = event('Customer Sang', { account: 'demo', id: 'e', occurredAt: at, song: 'SENTINEL' });

    expect(redactedEvent(later).detail).toEqual({ account: 'demo', id: 'e', occurredAt: at, song: '(hidden)' });
  });

  it('of a later version is a line without any word that is not declared', () => {
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
  ])('of a vocabulary that has grown hides the new word: %s', (type, detail) => {
    const grown = event(type, { account: 'demo', occurredAt: at, ...detail });

    expect(eventLine(grown)).not.toContain('SENTINEL');
    expect(JSON.stringify(redactedEvent(grown))).not.toContain('SENTINEL');
  });

  it.each(['', 'torn{', '[]', '{"detail-type":"x"}', '{"detail":{}}'])('is not %j', (line) => {
    expect(parseBusEvent(line)).toBeUndefined();
  });

  it.each([
    [
      'Call Summary Revised',
      { callId: '1', leg: '2', revision: 3, changedFields: ['status'], call: { status: 'answered' } },
      'Call Summary Revised       call 1  leg 2  revision 3  changed status  answered',
    ],
    [
      'Agent State Changed',
      { agentId: 'asha', previous: { state: 'ready' }, current: { state: 'acw' }, replayedAt: at },
      `Agent State Changed        agent asha  ready → acw  replayed ${at}`,
    ],
    ['Agent Feed Restored', { revision: 'odd' }, 'Agent Feed Restored'],
    ['Agent Logged In', { agentId: 'a\u001B[2J' }, 'Agent Logged In            agent a\\u001b[2J'],
  ])('is a line: %s', (type, detail, line) => {
    expect(eventLine(event(type, { account: 'demo', occurredAt: at, ...detail }))).toBe(`${at}  demo  ${line}`);
  });
});
