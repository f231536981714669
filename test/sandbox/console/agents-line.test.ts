import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../../sandbox/bus/envelope.ts';
import { agentsLine, isAboutAgent } from '../../../sandbox/console/agents-line.ts';

const event = (type: string, previous?: string, current?: string): Envelope => ({
  version: '0',
  id: 'a',
  'detail-type': type,
  source: 'callfeed',
  account: '000000000000',
  time: '2026-11-21T09:00:00Z',
  region: 'local',
  resources: [],
  detail: {
    agentId: 'asha',
    ...(previous !== undefined && { previous: { state: previous, name: 'Asha Rao', phoneNumber: '0123456789' } }),
    ...(current !== undefined && { current: { state: current, name: 'Asha Rao', phoneNumber: '0123456789' } }),
  },
});

describe('agentsLine', () => {
  it('counts who came and went, and changes of state, the commonest first', () => {
    const events = [
      event('Agent Logged In', undefined, 'ready'),
      event('Agent State Changed', 'in-call', 'acw'),
      event('Agent State Changed', 'ready', 'in-call'),
      event('Agent State Changed', 'ready', 'in-call'),
      event('Agent Logged In', undefined, 'idle'),
      event('Agent Details Changed', 'ready', 'ready'),
      event('Agent Logged Out', 'ready'),
    ];

    expect(agentsLine(events)).toBe('2 logged in, 1 logged out, 1 with other details, ready→in-call x2, in-call→acw');
  });

  it('tells no state that is not a word of ours', () => {
    const events = [event('Agent State Changed', 'ready', 'call 0123456789'), event('Agent State Changed')];

    expect(agentsLine(events)).toBe('ready→other, other→other');
  });
});

describe('isAboutAgent', () => {
  it.each([
    ['Agent Logged In', true],
    ['Agent State Changed', true],
    ['Agent Details Changed', true],
    ['Agent Logged Out', true],
    ['Agent Feed Interrupted', false],
    ['Call Summary Recorded', false],
    ['constructor', false],
  ])('of %s is %s', (type, expected) => {
    expect(isAboutAgent(event(type))).toBe(expected);
  });
});
